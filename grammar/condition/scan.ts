import type { CompareOperator, ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { numberProblem } from '#grammar/document/number.ts';
import { Cursor } from '#grammar/language/cursor.ts';
import { QUOTED, unquote } from '#grammar/language/quoted.ts';
import { MOST_LENGTH } from '#grammar/reference/ast.ts';
import { scanPath } from '#grammar/reference/scan.ts';

import { MOST_CHARACTERS, MOST_OPERATORS, OPERATORS, isLogical } from './ast.ts';
import type { ConditionReference, ParsedCondition } from './ast.ts';

/**
 * Reads the forms that most conditions have, without the grammar: terms joined by `&&`, where a term is a path, a
 * comparison of paths and literals, or `exists(path)`, each but the comparison with one `!` in front. Undefined for
 * every other text; what it accepts it reads as the grammar does (held to it by a differential test).
 */
export function scanCondition(text: string): ParsedCondition | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const cursor = new Cursor(text);
  const refs: ConditionReference[] = [];
  let tree: ConditionTree | undefined;
  let operators = 0;
  do {
    cursor.blanks();
    const term = scanTerm(cursor, refs);
    if (term === undefined) return undefined;
    tree = tree === undefined ? term : { kind: 'and', left: tree, right: term };
    cursor.blanks();
    // The grammar says that there are too many.
    operators += 1;
  } while (operators <= MOST_OPERATORS && cursor.take('&&'));
  return cursor.isAtEnd ? { tree, refs, problems: [] } : undefined;
}

function scanTerm(cursor: Cursor, refs: ConditionReference[]): ConditionTree | undefined {
  const isNegated = cursor.take('!');
  if (isNegated) cursor.blanks();
  const left = scanOperand(cursor, refs) ?? undefined;
  if (left === undefined) return undefined;
  cursor.blanks();
  const operator = OPERATORS.find((one) => cursor.take(one));
  if (operator === undefined) return logical(left, isNegated);
  return isNegated ? undefined : scanComparison(cursor, refs, left, operator);
}

function logical(tree: ConditionTree, isNegated: boolean): ConditionTree | undefined {
  if (!isLogical(tree)) return undefined;
  return isNegated ? { kind: 'not', operand: tree } : tree;
}

function scanComparison(
  cursor: Cursor,
  refs: ConditionReference[],
  left: ConditionTree,
  operator: CompareOperator,
): ConditionTree | undefined {
  cursor.blanks();
  const right = scanOperand(cursor, refs);
  return right === undefined ? undefined : { kind: 'compare', operator, left, right };
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w$.])/y;
const TEXT = new RegExp(QUOTED, 'y');
const CALL = /exists\([ \t]*/y;

function scanOperand(cursor: Cursor, refs: ConditionReference[]): ConditionTree | undefined {
  const quoted = cursor.match(TEXT);
  if (quoted !== undefined) return { kind: 'literal', value: unquote(quoted) };
  const number = cursor.match(NUMBER);
  if (number !== undefined)
    return numberProblem(number) === undefined ? { kind: 'literal', value: Number(number) } : undefined;
  if (cursor.match(CALL) === undefined) return scanReference(cursor, refs);
  const argument = scanReference(cursor, refs);
  cursor.blanks();
  return argument?.kind === 'reference' && cursor.take(')')
    ? { kind: 'call', name: 'exists', args: [argument] }
    : undefined;
}

/** A bare path; `true`, `false` and `null` are literals, `not` begins what only the grammar reads. */
function scanReference(cursor: Cursor, refs: ConditionReference[]): ConditionTree | undefined {
  const from = cursor.at;
  // A path that begins with a bracket needs braces in a condition.
  const path = cursor.text.charCodeAt(from) === 91 ? undefined : scanPath(cursor);
  if (path === undefined || cursor.at - from > MOST_LENGTH) return undefined;
  const [name, ...rest] = path;
  if (rest.length === 0) {
    if (name === 'true' || name === 'false') return { kind: 'literal', value: name === 'true' };
    if (name === 'null') return { kind: 'literal', value: null };
  }
  if (
    name === 'not' ||
    name === 'true' ||
    name === 'false' ||
    name === 'null' ||
    cursor.text.charCodeAt(cursor.at) === 40
  )
    return undefined;
  const ref: Ref = { ns: 'var', name: String(name), ...(rest.length === 0 ? {} : { path: rest }) };
  refs.push({ ref, range: [from, cursor.at] });
  return { kind: 'reference', ref };
}
