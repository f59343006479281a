import * as fail from '#schemas/generated/failures.ts';
import type { CompareOperator, Condition, ConditionTree } from '#schemas/types/condition-tree.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Regex } from '../ports.ts';
import { convert, toNumber, unreadable } from './convert.ts';
import { deepEqual } from './deep-equal.ts';
import { whereTheyDiffer } from './differences.ts';
import { lookup } from './lookup.ts';
import { Missing } from './path.ts';
import { Unknown, type Filling, type Surroundings } from './surroundings.ts';
import { typeName } from './type-name.ts';
import { scalarOf, whatIsThere } from './what-is-there.ts';

/** Input of a condition's evaluation beside its tree. */
export interface Judge {
  readonly at: Surroundings;
  readonly filling: Filling;
  readonly regex: Regex;
  /** Meaning of a missing path: in an `expect` that it does not hold; in a `when` an error of its own. */
  readonly missing: 'expect' | 'when';
}

/** Thrown inside and caught at the top: the answer is known only in a real run. */
class NotKnown extends Error {}

/**
 * Whether a condition holds; undefined where only a real run could tell. Throws a failure where it cannot be decided.
 */
export function holds(condition: Condition, judge: Judge): boolean | undefined {
  try {
    return truth(condition.tree, condition, judge);
  } catch (error) {
    if (error instanceof NotKnown) return undefined;
    throw error;
  }
}

/**
 * Reason why a condition of an `expect` does not hold, as a failure; undefined where it does. Other errors are
 * thrown on.
 */
export function unmet(condition: Condition, judge: Judge): Failure | undefined {
  try {
    return holds(condition, judge) ? undefined : expectationFailure(condition, judge);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/**
 * The failure of an `expect` that does not hold, with both sides of the comparison that decided it. Over an answer of
 * 500 and above it is `http_5xx` too, so that `retry.on` finds it by either kind.
 */
function expectationFailure(condition: Condition, judge: Judge): Failure {
  const sides = decisive(condition.tree, condition, judge);
  const told = holdsUnfilled(condition.tree) ? { ...sides, help: UNFILLED } : sides;
  const failure = fail.expectationFailed({ condition: condition.source, ...told });
  return isServerError(judge.at.result?.value)
    ? new Failure({ ...failure.facts, kinds: [...failure.facts.kinds, 'http_5xx'] }, failure.options)
    : failure;
}

function isServerError(result: unknown): boolean {
  const status =
    typeof result === 'object' && result !== null && 'status_code' in result ? result.status_code : undefined;
  return typeof status === 'number' && status >= 500;
}

function truth(tree: ConditionTree, condition: Condition, judge: Judge): boolean {
  switch (tree.kind) {
    case 'not':
      return !truth(tree.operand, condition, judge);
    case 'and':
      return truth(tree.left, condition, judge) && truth(tree.right, condition, judge);
    case 'or':
      return truth(tree.left, condition, judge) || truth(tree.right, condition, judge);
    default: {
      const value = evaluate(tree, condition, judge);
      if (typeof value === 'boolean') return value;
      throw fail.conditionNotBoolean({ condition: condition.source, type: typeName(value) });
    }
  }
}

function evaluate(tree: ConditionTree, condition: Condition, judge: Judge): unknown {
  switch (tree.kind) {
    case 'literal':
      return tree.value;
    case 'list':
      return tree.items.map((item) => evaluate(item, condition, judge));
    case 'object':
      return Object.fromEntries(tree.entries.map(([key, value]) => [key, evaluate(value, condition, judge)]));
    case 'regex':
      return tree.pattern;
    case 'reference':
      return present(tree, condition, judge);
    case 'compare':
      return compare(
        tree.operator,
        evaluate(tree.left, condition, judge),
        evaluate(tree.right, condition, judge),
        condition,
      );
    case 'call':
      return call(tree, condition, judge);
    case 'not':
    case 'and':
    case 'or':
      return truth(tree, condition, judge);
    default:
      return tree satisfies never;
  }
}

function present(tree: Extract<ConditionTree, { kind: 'reference' }>, condition: Condition, judge: Judge): unknown {
  const { ref } = tree;
  const found = lookup(ref, judge.at, judge.filling);
  if (found instanceof Unknown) throw new NotKnown();
  if (found instanceof Missing && ref.default === undefined) {
    const where = {
      condition: condition.source,
      piece: found.piece,
      path: found.before,
      help: whatIsThere(found),
      ...scalarOf(found),
    };
    throw judge.missing === 'expect' ? fail.expectationWithoutValue(where) : fail.conditionWithoutValue(where);
  }
  const value = found instanceof Missing ? ref.default : found;
  if (ref.convert === undefined) return value;
  const read = convert(value, ref.convert);
  if (read === unreadable)
    throw fail.conditionArgumentUnfit({
      function: `:${ref.convert}`,
      condition: condition.source,
      type: typeName(value),
    });
  return read;
}

function compare(operator: CompareOperator, left: unknown, right: unknown, condition: Condition): boolean {
  if (operator === '==' || operator === '!=') {
    if (left !== null && right !== null && typeName(left) !== typeName(right)) throw differ(left, right, condition);
    return deepEqual(left, right) === (operator === '==');
  }
  const ordered =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string');
  if (!ordered) throw differ(left, right, condition);
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return operator satisfies never;
  }
}

function differ(left: unknown, right: unknown, condition: Condition): Failure {
  return fail.conditionTypesDiffer({
    condition: condition.source,
    left: typeName(left),
    right: typeName(right),
    actual: left as Json,
    expected: right as Json,
  });
}

function call(tree: Extract<ConditionTree, { kind: 'call' }>, condition: Condition, judge: Judge): unknown {
  const [first, second] = tree.args;
  if (!first) throw fail.conditionArgumentUnfit({ function: tree.name, condition: condition.source, type: 'nothing' });
  if (tree.name === 'exists') return exists(first, judge);
  const value = evaluate(first, condition, judge);
  const unfit = (): Failure =>
    fail.conditionArgumentUnfit({ function: tree.name, condition: condition.source, type: typeName(value) });
  switch (tree.name) {
    case 'len':
      if (typeof value === 'string' || Array.isArray(value)) return value.length;
      if (typeof value === 'object' && value !== null) return Object.keys(value).length;
      throw unfit();
    case 'num': {
      const number = toNumber(value);
      if (number === undefined) throw unfit();
      return number;
    }
    case 'contains': {
      const wanted = second && evaluate(second, condition, judge);
      if (Array.isArray(value)) return value.some((part) => deepEqual(part, wanted));
      if (typeof value === 'string' && typeof wanted === 'string') return value.includes(wanted);
      throw unfit();
    }
    case 'matches':
      if (typeof value !== 'string' || second?.kind !== 'regex') throw unfit();
      return judge.regex.match(second.pattern, second.flags, value) !== null;
    default:
      return tree.name satisfies never;
  }
}

function exists(tree: ConditionTree, judge: Judge): boolean {
  if (tree.kind !== 'reference') return true;
  const found = lookup(tree.ref, judge.at, judge.filling);
  if (found instanceof Unknown) throw new NotKnown();
  return !(found instanceof Missing);
}

interface Sides {
  readonly actual?: Json;
  readonly expected?: Json;
  readonly help?: string;
}

/** The first elements of a list that was counted; whole ones, since of a secret that is cut nobody would know. */
function firstElements(tree: ConditionTree, condition: Condition, judge: Judge): Sides {
  const [list] = tree.kind === 'call' && tree.name === 'len' ? tree.args : [];
  const value = list && evaluate(list, condition, judge);
  if (!Array.isArray(value)) return {};
  const shown = [3, 2, 1].map((most) => JSON.stringify(value.slice(0, most)).slice(1, -1));
  const help = shown.find((text) => text !== '' && text.length <= LONGEST_HELP);
  return help === undefined
    ? {}
    : { help: `The list ${value.length > 3 || help !== shown[0] ? 'begins with' : 'holds'} ${help}` };
}

const LONGEST_HELP = 600;

/** The sides of the comparison, or the value, that made a condition false. */
function decisive(tree: ConditionTree, condition: Condition, judge: Judge): Sides {
  switch (tree.kind) {
    case 'and':
      return decisive(truth(tree.left, condition, judge) ? tree.right : tree.left, condition, judge);
    case 'or':
      return decisive(tree.right, condition, judge);
    case 'compare':
      return comparedSides(tree, condition, judge);
    case 'call':
      return calledWith(tree, condition, judge);
    case 'not':
      return { actual: true, expected: false };
    case 'reference':
      return { actual: false, expected: true };
    case 'literal':
    case 'list':
    case 'object':
    case 'regex':
      return {};
    default:
      return tree satisfies never;
  }
}

function comparedSides(
  { operator, left, right }: Extract<ConditionTree, { kind: 'compare' }>,
  condition: Condition,
  judge: Judge,
): Sides {
  const [actual, expected] = [evaluate(left, condition, judge), evaluate(right, condition, judge)];
  const sides = { actual: actual as Json, expected: expected as Json, ...firstElements(left, condition, judge) };
  const help = operator === '==' ? whereTheyDiffer(actual, expected) : undefined;
  return help === undefined ? sides : { ...sides, help };
}

/** Whether a text in quotes holds the signs of a reference, which stay as they are. */
function holdsUnfilled(tree: ConditionTree): boolean {
  switch (tree.kind) {
    case 'literal':
      return typeof tree.value === 'string' && /\{\{.*\}\}|\$\{.*\}/s.test(tree.value);
    case 'not':
      return holdsUnfilled(tree.operand);
    case 'and':
    case 'or':
    case 'compare':
      return holdsUnfilled(tree.left) || holdsUnfilled(tree.right);
    case 'call':
      return tree.args.some(holdsUnfilled);
    case 'list':
      return tree.items.some(holdsUnfilled);
    case 'object':
      return tree.entries.some(([, value]) => holdsUnfilled(value));
    case 'reference':
    case 'regex':
      return false;
    default:
      return tree satisfies never;
  }
}

const UNFILLED =
  'A text in quotes is not filled: write the reference without quotes, or set a variable to a longer text first.';

function calledWith(tree: Extract<ConditionTree, { kind: 'call' }>, condition: Condition, judge: Judge): Sides {
  const [first, second] = tree.args;
  if (tree.name === 'exists' || !first) return {};
  const actual = evaluate(first, condition, judge) as Json;
  if (!second) return { actual };
  return {
    actual,
    expected:
      second.kind === 'regex' ? `/${second.pattern}/${second.flags}` : (evaluate(second, condition, judge) as Json),
  };
}
