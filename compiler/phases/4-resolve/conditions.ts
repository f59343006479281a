import type { ParsedCondition } from '#grammar/condition/parse.ts';
import { conditionDiagnostic } from '#grammar/condition/report.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { eachConditionReference } from '#schemas/types/condition-references.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Ref } from '#schemas/types/reference.ts';

import type { Knowledge } from './knowledge.ts';

/** Checks a condition's form and the types of what is literal in it, and calls back for each reference. */
export function checkCondition(
  source: string,
  route: () => Route,
  { document, tokens, report }: Knowledge,
  onReference: (ref: Ref, at: () => Label, isAsked: boolean) => void,
): void {
  const parsed = tokens.condition(source);
  const label = (part: Label['part']): Label => ({ source: document.source, route: route(), part });
  for (const problem of parsed.problems)
    report(conditionDiagnostic(problem, { source: document.source, route: route() }));
  if (parsed.tree !== undefined) checkTypes(parsed.tree, () => label('value'), report);
  const asked = askedReferences(parsed);
  for (const { ref, range } of parsed.refs) onReference(ref, () => label(range), asked.has(ref));
}

/** Those that `exists` asks for: they need not be there. */
function askedReferences({ tree }: ParsedCondition): ReadonlySet<Ref> {
  const asked = new Set<Ref>();
  if (tree !== undefined)
    eachConditionReference(tree, (ref, isAsked) => {
      if (isAsked) asked.add(ref);
    });
  return asked;
}

type ValueType = 'null' | 'boolean' | 'number' | 'text';

/** What a part is for sure; undefined where only a run knows. */
function typeOf(tree: ConditionTree): ValueType | undefined {
  switch (tree.kind) {
    case 'literal':
      if (tree.value === null) return 'null';
      return typeof tree.value === 'string' ? 'text' : typeof tree.value === 'number' ? 'number' : 'boolean';
    case 'not':
    case 'and':
    case 'or':
    case 'compare':
      return 'boolean';
    case 'call':
      return tree.name === 'len' || tree.name === 'num' ? 'number' : 'boolean';
    case 'reference':
      return CONVERTED[tree.ref.convert ?? 'json'];
    case 'regex':
      return undefined;
  }
}

const CONVERTED = { int: 'number', number: 'number', bool: 'boolean', json: undefined } as const;
const WORDS = { null: 'null', boolean: 'a boolean', number: 'a number', text: 'text' } as const;

function checkTypes(tree: ConditionTree, at: () => Label, report: Knowledge['report']): void {
  switch (tree.kind) {
    case 'literal':
    case 'regex':
    case 'reference':
      return;
    case 'not':
      return checkTypes(tree.operand, at, report);
    case 'and':
    case 'or':
      checkTypes(tree.left, at, report);
      return checkTypes(tree.right, at, report);
    case 'compare': {
      checkTypes(tree.left, at, report);
      checkTypes(tree.right, at, report);
      const [left, right] = [typeOf(tree.left), typeOf(tree.right)];
      if (left === undefined || right === undefined || canCompare(tree.operator, left, right)) return;
      return report(d.conditionTypes({ at: at(), operator: tree.operator, left: WORDS[left], right: WORDS[right] }));
    }
    case 'call': {
      for (const arg of tree.args) checkTypes(arg, at, report);
      const expected = TAKES[tree.name];
      const actual = tree.args[0] === undefined ? undefined : typeOf(tree.args[0]);
      if (actual === undefined || expected === undefined || expected.types.includes(actual)) return;
      return report(d.functionTakes({ at: at(), name: tree.name, expected: expected.words, actual: WORDS[actual] }));
    }
  }
}

/** What the first argument of a function may be, of the types that are known before a run. */
const TAKES: Readonly<Partial<Record<string, { readonly types: readonly ValueType[]; readonly words: string }>>> = {
  len: { types: ['text'], words: 'text, a list or an object' },
  num: { types: ['text', 'number'], words: 'text or a number' },
  matches: { types: ['text'], words: 'text' },
  contains: { types: ['text'], words: 'text or a list' },
};

/** Equal types, and order only for numbers and texts; everything may be compared with null for equality. */
function canCompare(operator: string, left: ValueType, right: ValueType): boolean {
  if (operator === '==' || operator === '!=') return left === right || left === 'null' || right === 'null';
  return left === right && (left === 'number' || left === 'text');
}
