import { isPattern } from '#schemas/types/bounded-match.ts';
import type { CompareOperator, ConditionFunction, ConditionTree } from '#schemas/types/condition-tree.ts';
import { numberProblem } from '#grammar/document/number.ts';
import { MOST_LENGTH } from '#grammar/reference/ast.ts';
import { nearest } from '#grammar/language/nearest.ts';
import type { Range } from '#grammar/language/problem.ts';

import { FUNCTIONS, isFunction, isLogical } from './ast.ts';
import type { ConditionProblem } from './ast.ts';
import { meantBy } from './other-calls.ts';
import { printCondition } from './print.ts';

/** A part of a tree and where it stands. */
export interface ConditionPart {
  readonly tree: ConditionTree;
  readonly range: Range;
  /** Present where it stands in parentheses, so that nothing about it is ambiguous. */
  readonly isGroup?: true;
}

/**
 * Builds the tree and says what the grammar cannot: numbers of arguments, what can be true or false, what is ambiguous.
 */
export class ConditionChecks {
  readonly problems: ConditionProblem[] = [];

  logical(part: ConditionPart | undefined): ConditionPart | undefined {
    if (part !== undefined && !isLogical(part.tree)) this.#add('not-a-condition', part.range);
    return part;
  }

  join(
    kind: 'and' | 'or',
    left: ConditionPart | undefined,
    right: ConditionPart | undefined,
  ): ConditionPart | undefined {
    this.logical(left);
    this.logical(right);
    if (left === undefined || right === undefined) return undefined;
    return { tree: { kind, left: left.tree, right: right.tree }, range: [left.range[0], right.range[1]] };
  }

  negate(from: number, operand: ConditionPart | undefined): ConditionPart | undefined {
    if (operand === undefined) return undefined;
    const range: Range = [from, operand.range[1]];
    // `!a == b` is (!a) == b in one language and !(a == b) in another.
    if (operand.tree.kind === 'compare' && operand.isGroup === undefined) this.#add('ambiguous-not', range);
    else this.logical(operand);
    return { tree: { kind: 'not', operand: operand.tree }, range };
  }

  compare(
    operator: CompareOperator,
    at: number,
    left: ConditionPart | undefined,
    right: ConditionPart | undefined,
  ): ConditionPart | undefined {
    if (left === undefined || right === undefined) return undefined;
    if (left.tree.kind === 'compare' && left.isGroup === undefined)
      this.#add('chained', [at, at + operator.length], { found: operator });
    for (const side of [left, right]) this.#value(side);
    return {
      tree: { kind: 'compare', operator, left: left.tree, right: right.tree },
      range: [left.range[0], right.range[1]],
    };
  }

  /** Whether a path is short enough to be looked up. */
  path(from: number, to: number): boolean {
    if (to - from <= MOST_LENGTH) return true;
    this.#add('too-large', [from, to], { expected: `${MOST_LENGTH} characters in one path` });
    return false;
  }

  literal(image: string, from: number, value: null | boolean | number | string): ConditionPart {
    const range: Range = [from, from + image.length];
    if (typeof value === 'number' && numberProblem(image) !== undefined)
      this.#add('bad-number', range, { found: image });
    return { tree: { kind: 'literal', value }, range };
  }

  list(range: Range, items: readonly (ConditionPart | undefined)[]): ConditionPart | undefined {
    const parts = items.filter((part) => part !== undefined);
    if (parts.length !== items.length) return undefined;
    for (const part of parts) this.#value(part);
    return { tree: { kind: 'list', items: parts.map(({ tree }) => tree) }, range };
  }

  object(
    range: Range,
    entries: readonly { readonly key: string; readonly at: Range; readonly value: ConditionPart | undefined }[],
  ): ConditionPart | undefined {
    const read = new Map<string, ConditionTree>();
    for (const { key, at, value } of entries) {
      if (value === undefined) return undefined;
      this.#value(value);
      if (read.has(key)) this.#add('duplicate-key', at, { found: key });
      read.set(key, value.tree);
    }
    return { tree: { kind: 'object', entries: [...read] }, range };
  }

  regex(image: string, from: number): ConditionPart {
    const close = image.lastIndexOf('/');
    const [pattern, flags] = [image.slice(1, close), image.slice(close + 1)];
    const range: Range = [from, from + image.length];
    if (!/^(?!.*(.).*\1)[ims]*$/.test(flags)) this.#add('bad-regex', [from + close, range[1]], { found: flags });
    else if (!isPattern(pattern, flags)) this.#add('bad-regex', range, { found: image });
    return { tree: { kind: 'regex', pattern, flags }, range };
  }

  call(
    name: string,
    from: number,
    to: number,
    args: readonly (ConditionPart | undefined)[],
  ): ConditionPart | undefined {
    const range: Range = [from, to];
    if (!isFunction(name)) {
      const whole = args.length === 0 ? otherCondition(name) : otherCall(name, args);
      const meant = whole ?? otherName(name) ?? nearest(name, Object.keys(FUNCTIONS));
      this.#add('unknown-function', whole === undefined ? [from, from + name.length] : range, {
        found: name,
        expected: Object.keys(FUNCTIONS).sort().join(', '),
        ...(meant === undefined ? {} : { nearest: meant }),
      });
      return undefined;
    }
    const parts = args.filter((part) => part !== undefined);
    if (parts.length !== args.length) return undefined;
    if (parts.length !== FUNCTIONS[name]) this.#add('arguments', range, { found: name, expected: SIGNATURES[name] });
    else this.#argumentKinds(name, parts);
    return { tree: { kind: 'call', name, args: parts.map(({ tree }) => tree) }, range };
  }

  /** A regular expression is no value. */
  #value({ tree, range }: ConditionPart): void {
    if (tree.kind === 'regex') this.#add('unexpected-token', range, { found: `/${tree.pattern}/` });
  }

  #argumentKinds(name: ConditionFunction, parts: readonly ConditionPart[]): void {
    for (const [index, { tree, range }] of parts.entries()) {
      const wantsPattern = name === 'matches' && index === 1;
      const mustRefer = name === 'exists';
      const fits = wantsPattern ? tree.kind === 'regex' : mustRefer ? tree.kind === 'reference' : tree.kind !== 'regex';
      if (!fits) this.#add('arguments', range, { found: name, expected: SIGNATURES[name] });
    }
  }

  #add(
    key: ConditionProblem['key'],
    [from, to]: Range,
    details: Partial<Pick<ConditionProblem, 'found' | 'expected' | 'nearest'>> = {},
  ): void {
    this.problems.push({ key, from, to, ...details });
  }
}

/** Names that the functions have elsewhere. */
const OTHER_NAMES: Readonly<Partial<Record<string, ConditionFunction>>> = {
  count: 'len',
  defined: 'exists',
  float: 'num',
  has: 'contains',
  includes: 'contains',
  int: 'num',
  isdefined: 'exists',
  length: 'len',
  match: 'matches',
  number: 'num',
  parseint: 'num',
  regex: 'matches',
  size: 'len',
  test: 'matches',
};

function otherName(name: string): ConditionFunction | undefined {
  const word = name.toLowerCase().replaceAll('_', '');
  return Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
}

/** `startsWith(x, "a")`, as other languages ask for what is a pattern here. */
function otherCall(name: string, [one, other]: readonly (ConditionPart | undefined)[]): string | undefined {
  const meant = otherName(name) === undefined && one && other ? meantBy(name) : undefined;
  return one && other && meant?.(printCondition(one.tree), printCondition(other.tree));
}

/** Conditions about the run that workflows of other tools have as calls. */
const OTHER_CONDITIONS: Readonly<Record<string, string>> = {
  always: 'true',
  failed: 'run.status == "failed"',
  failure: 'run.status == "failed"',
  succeeded: 'run.status == "passed"',
  success: 'run.status == "passed"',
};

function otherCondition(name: string): string | undefined {
  const word = name.toLowerCase();
  return Object.hasOwn(OTHER_CONDITIONS, word) ? OTHER_CONDITIONS[word] : undefined;
}

const SIGNATURES: Readonly<Record<ConditionFunction, string>> = {
  contains: 'contains(text or list, x)',
  exists: 'exists(name.path)',
  len: 'len(x)',
  matches: 'matches(text, /pattern/ims)',
  num: 'num(x)',
};
