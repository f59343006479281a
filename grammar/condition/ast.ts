import type { CompareOperator, ConditionFunction, ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Ref } from '#schemas/types/reference.ts';
import type { Problem, Range } from '#grammar/language/problem.ts';
import type { ReferenceProblem } from '#grammar/reference/ast.ts';

export type ConditionProblemKey =
  | 'empty'
  | 'unexpected-token'
  | 'text-not-closed'
  | 'unknown-function'
  | 'arguments'
  | 'bad-regex'
  | 'bad-number'
  | 'duplicate-key'
  | 'bad-operator'
  | 'infix-function'
  | 'in-braces'
  | 'curly-quotes'
  | 'ambiguous-not'
  | 'chained'
  | 'too-deep'
  | 'too-large'
  | 'not-a-condition'
  | 'unreadable-condition';
export type ConditionProblem = Problem<ConditionProblemKey>;

/** A reference of a condition and where it stands in its text. */
export interface ConditionReference {
  readonly ref: Ref;
  readonly range: Range;
}

export interface ParsedCondition {
  /** Absent where there is a problem. */
  readonly tree?: ConditionTree;
  /** References in the order of the text; those of a broken condition that were understood. */
  readonly refs: readonly ConditionReference[];
  /** Problems of the condition and of its references: `conditionDiagnostic` knows both. */
  readonly problems: readonly (ConditionProblem | ReferenceProblem)[];
}

export const OPERATORS: readonly CompareOperator[] = ['==', '!=', '<=', '>=', '<', '>'];

/** Number of arguments of each function. */
export const FUNCTIONS: Readonly<Record<ConditionFunction, number>> = {
  contains: 2,
  exists: 1,
  len: 1,
  matches: 2,
  num: 1,
};

export function isFunction(name: string): name is ConditionFunction {
  return Object.hasOwn(FUNCTIONS, name);
}

/** Greatest depth of parentheses and negations inside one another. */
export const MOST_DEPTH = 50;
/**
 * Highest number of operators in a condition: a chain of them is as deep a tree, and whatever reads it calls
 * itself.
 */
export const MOST_OPERATORS = 500;
/** Highest number of characters in a condition. */
export const MOST_CHARACTERS = 100_000;

/** Whether a tree can be true or false by itself: a text, a number or null cannot. */
export function isLogical(tree: ConditionTree): boolean {
  switch (tree.kind) {
    case 'literal':
      return typeof tree.value === 'boolean';
    case 'call':
      return tree.name !== 'len' && tree.name !== 'num';
    case 'regex':
    case 'list':
    case 'object':
      return false;
    case 'reference':
    case 'not':
    case 'and':
    case 'or':
    case 'compare':
      return true;
  }
}
