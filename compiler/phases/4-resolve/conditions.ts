import type { ParsedCondition } from '#grammar/condition/parse.ts';
import type { Range } from '#grammar/language/problem.ts';
import { conditionDiagnostic } from '#grammar/condition/report.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { eachConditionReference } from '#schemas/types/condition-references.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { comparedWithMarker } from './meant/foreign/compared-with-marker.ts';
import type { Knowledge } from './knowledge.ts';
import { statusNeverSo } from './meant/status-words.ts';
import type { KnownValue } from './value-type.ts';

/**
 * Checks a condition's form and the types of what is literal in it, and calls back for each reference. Returns the
 * truth that it has whatever the values are, by their types; undefined where a run decides.
 */
export function checkCondition(
  source: string,
  route: () => Route,
  { document, tokens, report }: Knowledge,
  onReference: (ref: Ref, at: () => Label, isAsked: boolean) => void,
  typeOfRef: TypeOfRef,
): boolean | undefined {
  const parsed = tokens.condition(source);
  const label = (part: Label['part']): Label => ({ source: document.source, route: route(), part });
  for (const problem of parsed.problems)
    report(conditionDiagnostic(problem, { source: document.source, route: route() }));
  if (parsed.tree !== undefined) checkTypes(parsed.tree, () => label('value'), { source, report, typeOfRef });
  const asked = askedReferences(parsed);
  // Names in what cannot be read as a condition may have been meant as words.
  const isUnread = parsed.tree === undefined;
  for (const { ref, range } of parsed.refs)
    onReference(ref, () => label(range), asked.has(ref) || (isUnread && isBarePath(source, range)));
  return parsed.tree && decided(parsed.tree, typeOfRef);
}

/** Whether a reference stands in a condition without braces. */
export function isBarePath(source: string, [from]: Range): boolean {
  return source[from] !== '{' && source[from] !== '$';
}

/** Truth of a condition that the types of its values settle: what is never null need not be compared with it. */
function decided(tree: ConditionTree, typeOfRef: TypeOfRef): boolean | undefined {
  switch (tree.kind) {
    case 'not': {
      const truth = decided(tree.operand, typeOfRef);
      return truth === undefined ? undefined : !truth;
    }
    case 'and':
    case 'or': {
      const sides = [decided(tree.left, typeOfRef), decided(tree.right, typeOfRef)];
      const settles = tree.kind === 'or';
      if (sides.includes(settles)) return settles;
      return sides.includes(undefined) ? undefined : !settles;
    }
    case 'compare': {
      if (tree.operator !== '==' && tree.operator !== '!=') return undefined;
      const value = isNull(tree.left) ? tree.right : isNull(tree.right) ? tree.left : undefined;
      // A path may lead nowhere, which is no matter of types.
      if (value?.kind !== 'reference' || (value.ref.path ?? []).length > 0) return undefined;
      const types = typesOf(value, typeOfRef);
      if (types === undefined || types.length === 0) return undefined;
      if (!types.includes('null')) return tree.operator === '!=';
      return types.length === 1 ? tree.operator === '==' : undefined;
    }
    case 'literal':
    case 'regex':
    case 'list':
    case 'object':
    case 'reference':
    case 'call':
      return undefined;
  }
}

function isNull(tree: ConditionTree): boolean {
  return tree.kind === 'literal' && tree.value === null;
}

/** References that `exists` asks for: they need not be there. */
function askedReferences({ tree }: ParsedCondition): ReadonlySet<Ref> {
  const asked = new Set<Ref>();
  if (tree !== undefined)
    eachConditionReference(tree, (ref, isAsked) => {
      if (isAsked) asked.add(ref);
    });
  return asked;
}

/** JSON types of the value of a reference, and where it comes from; undefined where only a run knows. */
export type TypeOfRef = (ref: Ref) => KnownValue | undefined;

interface Checking {
  /** Text of the whole condition. */
  readonly source: string;
  readonly report: Knowledge['report'];
  readonly typeOfRef: TypeOfRef;
}

type ValueType = 'null' | 'boolean' | 'number' | 'text' | 'list' | 'object';
type ValueTypes = readonly ValueType[];

const OF_JSON: Readonly<Record<string, ValueType>> = {
  null: 'null',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  string: 'text',
  array: 'list',
  object: 'object',
};

/** Types that a part of a condition may have; undefined where only a run knows. */
function typesOf(tree: ConditionTree, typeOfRef: TypeOfRef): ValueTypes | undefined {
  switch (tree.kind) {
    case 'literal':
      if (tree.value === null) return ['null'];
      return [typeof tree.value === 'string' ? 'text' : typeof tree.value === 'number' ? 'number' : 'boolean'];
    case 'list':
    case 'object':
      return [tree.kind];
    case 'not':
    case 'and':
    case 'or':
    case 'compare':
      return ['boolean'];
    case 'call':
      return [tree.name === 'len' || tree.name === 'num' ? 'number' : 'boolean'];
    case 'reference': {
      const converted = CONVERTED[tree.ref.convert ?? 'json'];
      return converted === undefined
        ? ofJson(tree.ref.convert === undefined ? typeOfRef(tree.ref)?.types : undefined)
        : [converted];
    }
    case 'regex':
      return undefined;
  }
}

/** Places that the value of a reference comes from. */
function placesOf(tree: ConditionTree, typeOfRef: TypeOfRef): readonly Label[] {
  return tree.kind === 'reference' && tree.ref.convert === undefined ? (typeOfRef(tree.ref)?.places() ?? []) : [];
}

function ofJson(types: ReadonlySet<string> | undefined): ValueTypes | undefined {
  return types && [...new Set([...types].flatMap((type) => OF_JSON[type] ?? []))];
}

function words(types: ValueTypes): string {
  return types.map((type) => WORDS[type]).join(' or ');
}

const CONVERTED = { int: 'number', number: 'number', bool: 'boolean', json: undefined } as const;
const WORDS = {
  null: 'null',
  boolean: 'a boolean',
  number: 'a number',
  text: 'text',
  list: 'a list',
  object: 'an object',
} as const;

function checkTypes(tree: ConditionTree, at: () => Label, checking: Checking): void {
  const { report, typeOfRef } = checking;
  switch (tree.kind) {
    case 'literal':
    case 'regex':
    case 'reference':
      return;
    case 'list':
      return tree.items.forEach((item) => checkTypes(item, at, checking));
    case 'object':
      return tree.entries.forEach(([, value]) => checkTypes(value, at, checking));
    case 'not':
      return checkTypes(tree.operand, at, checking);
    case 'and':
    case 'or':
      checkTypes(tree.left, at, checking);
      return checkTypes(tree.right, at, checking);
    case 'compare': {
      checkTypes(tree.left, at, checking);
      checkTypes(tree.right, at, checking);
      const word = statusNeverSo(tree, at(), checking.source) ?? comparedWithMarker(tree, at(), checking.source);
      if (word !== undefined) return report(word);
      const [left, right] = [typesOf(tree.left, typeOfRef), typesOf(tree.right, typeOfRef)];
      if (left === undefined || right === undefined) return;
      if (left.some((one) => right.some((other) => canCompare(tree.operator, one, other)))) return;
      return report(
        d.conditionTypes({
          at: at(),
          operator: tree.operator,
          left: words(left),
          right: words(right),
          related: [tree.left, tree.right].flatMap((side) => placesOf(side, typeOfRef)),
          fixes: unquoted(tree, [left, right], at(), checking.source),
        }),
      );
    }
    case 'call': {
      for (const arg of tree.args) checkTypes(arg, at, checking);
      const expected = TAKES[tree.name];
      const [first] = tree.args;
      const actual = first && typesOf(first, typeOfRef);
      if (actual === undefined || expected === undefined || actual.some((type) => expected.types.includes(type)))
        return;
      return report(
        d.functionTakes({
          at: at(),
          name: tree.name,
          expected: expected.words,
          actual: words(actual),
          related: first && placesOf(first, typeOfRef),
        }),
      );
    }
  }
}

/** `status == "200"`: a number in quotes is no number. */
function unquoted(
  { left, right }: Extract<ConditionTree, { kind: 'compare' }>,
  types: readonly ValueTypes[],
  { route }: Label,
  source: string,
): readonly Fix[] {
  const literal = [left, right].find((side) => side.kind === 'literal' && typeof side.value === 'string');
  const number = literal?.kind === 'literal' ? String(literal.value) : '';
  if (!/^-?\d+(?:\.\d+)?$/.test(number) || !types.some((each) => each.every((type) => type === 'number'))) return [];
  const written = ['"', "'"].map((quote) => `${quote}${number}${quote}`).find((each) => source.includes(each));
  if (written === undefined || source.indexOf(written) !== source.lastIndexOf(written)) return [];
  const from = source.indexOf(written);
  const operations = [{ kind: 'replace-text' as const, route, from, to: from + written.length, text: number }];
  return [{ title: `write ${number}`, safety: 'safe', operations }];
}

/** Types that the first argument of a function may have, of those that are known before a run. */
const TAKES: Readonly<Partial<Record<string, { readonly types: readonly ValueType[]; readonly words: string }>>> = {
  len: { types: ['text', 'list', 'object'], words: 'text, a list or an object' },
  num: { types: ['text', 'number'], words: 'text or a number' },
  matches: { types: ['text'], words: 'text' },
  contains: { types: ['text', 'list'], words: 'text or a list' },
};

/** Equal types, and order only for numbers and texts; everything may be compared with null for equality. */
function canCompare(operator: string, left: ValueType, right: ValueType): boolean {
  if (operator === '==' || operator === '!=') return left === right || left === 'null' || right === 'null';
  return left === right && (left === 'number' || left === 'text');
}
