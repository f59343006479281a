import type { Ref } from './reference.ts';

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';
export type ConditionFunction = 'exists' | 'matches' | 'contains' | 'len' | 'num';

/**
 * A parsed condition (`compiler/language/conditions.md`), without places. A bare path is a reference of namespace
 * `var`.
 */
export type ConditionTree =
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'reference'; readonly ref: Ref }
  | { readonly kind: 'list'; readonly items: readonly ConditionTree[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: string, value: ConditionTree])[] }
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'not'; readonly operand: ConditionTree }
  | { readonly kind: 'and' | 'or'; readonly left: ConditionTree; readonly right: ConditionTree }
  | {
      readonly kind: 'compare';
      readonly operator: CompareOperator;
      readonly left: ConditionTree;
      readonly right: ConditionTree;
    }
  | { readonly kind: 'call'; readonly name: ConditionFunction; readonly args: readonly ConditionTree[] };

/** A condition as it stands in a plan: its text, for messages, and its tree. */
export interface Condition {
  readonly source: string;
  readonly tree: ConditionTree;
}
