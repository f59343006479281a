import type { ParsedCondition } from '#grammar/condition/parse.ts';
import { eachConditionReference } from '#schemas/types/condition-references.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Ref } from '#schemas/types/reference.ts';

import type { ListFacts } from '../knowledge.ts';
import { storedNames } from '../stored-names.ts';
import type { Tokens } from '../tokens.ts';

/** Facts for steps that run only where a condition holds. */
export function guardedBy(ofList: ListFacts, source: string, tokens: Tokens): ListFacts {
  const parsed = tokens.condition(source);
  return { ...ofList, guards: [...ofList.guards, { source, reads: readBy(parsed), finds: foundBy(parsed, true) }] };
}

/** Facts for steps that run only where the last condition does not hold. */
export function otherwise(ofList: ListFacts, tokens: Tokens): ListFacts {
  const last = ofList.guards.at(-1);
  if (last === undefined) return ofList;
  const finds = foundBy(tokens.condition(last.source), false);
  return { ...ofList, guards: [...ofList.guards.slice(0, -1), { ...last, finds }] };
}

/** Facts for a condition itself. `until` takes what is not there yet for an answer; others ask by `exists`. */
export function askedBy(ofList: ListFacts, source: string, parsed: ParsedCondition, isWaiting: boolean): ListFacts {
  const asked = new Set<string>();
  if (parsed.tree !== undefined)
    eachConditionReference(parsed.tree, (ref, isAsked) => {
      if (isAsked) for (const name of storedNames(ref)) asked.add(name);
    });
  const reads = isWaiting ? readBy(parsed) : asked;
  return { ...ofList, guards: [...ofList.guards, { source, reads, finds: asked }] };
}

function readBy({ refs }: ParsedCondition): ReadonlySet<string> {
  return namesOf(refs.map(({ ref }) => ref));
}

/** A condition that cannot be read has its finding: what it names is taken to be there. */
function foundBy(parsed: ParsedCondition, truth: boolean): ReadonlySet<string> {
  return parsed.tree === undefined ? readBy(parsed) : found(parsed.tree, truth);
}

const NONE: ReadonlySet<string> = new Set();

/** Variables that are there wherever a condition has that truth. */
function found(tree: ConditionTree, truth: boolean): ReadonlySet<string> {
  switch (tree.kind) {
    case 'call':
      return truth && tree.name === 'exists'
        ? namesOf(tree.args.flatMap((arg) => (arg.kind === 'reference' ? arg.ref : [])))
        : NONE;
    case 'not':
      return found(tree.operand, !truth);
    case 'and':
    case 'or': {
      const [left, right] = [found(tree.left, truth), found(tree.right, truth)];
      // Both sides have the truth of an `&&` that holds, and of an `||` that does not; else one of them may.
      return (tree.kind === 'and') === truth ? left.union(right) : left.intersection(right);
    }
    case 'compare':
      return foundByEquality(tree, truth);
    case 'literal':
    case 'list':
    case 'object':
    case 'regex':
    case 'reference':
      return NONE;
  }
}

/** `exists(a) == true` asks as `exists(a)` does. */
function foundByEquality(
  { left, right, operator }: Extract<ConditionTree, { kind: 'compare' }>,
  truth: boolean,
): ReadonlySet<string> {
  const [literal, other] = left.kind === 'literal' ? [left, right] : [right, left];
  const isEqual = operator === '==' || (operator === '!=' ? false : undefined);
  if (isEqual === undefined || literal.kind !== 'literal' || typeof literal.value !== 'boolean') return NONE;
  return found(other, (literal.value === truth) === isEqual);
}

function namesOf(refs: readonly Ref[]): ReadonlySet<string> {
  return new Set(refs.filter(({ ns }) => ns === 'var').flatMap(storedNames));
}
