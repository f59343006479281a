import { isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { no, UNKNOWN, YES, type Problem, type Verdict } from './answer.ts';
import { typesOf } from './json-type.ts';

/** `anyOf`: at least one fits. `oneOf`: exactly one. */
export function branches(
  keyword: 'anyOf' | 'oneOf',
  schemas: readonly Json[],
  verdicts: readonly Verdict[],
  value: Json,
  route: Route,
): Verdict {
  const count = (answer: Verdict['answer']): number => verdicts.filter((verdict) => verdict.answer === answer).length;
  const yes = count('yes');
  const unknown = count('unknown');
  if (keyword === 'oneOf' && yes > 1) return no({ route, keyword: 'oneOf', wanted: yes, actual: value });
  if (yes > 0) return keyword === 'anyOf' || unknown === 0 ? YES : UNKNOWN;
  return unknown > 0 ? UNKNOWN : { answer: 'no', problems: bestProblems(schemas, verdicts, value, route) };
}

/**
 * Problems to report when no branch fits: those of the branch that was most likely meant, which is the one of
 * the value's type that got furthest; where no branch is of that type, all types that would do.
 */
function bestProblems(
  schemas: readonly Json[],
  verdicts: readonly Verdict[],
  value: Json,
  route: Route,
): readonly Problem[] {
  const isTypeProblem = ({ route: at, keyword }: Problem): boolean => keyword === 'type' && at.length === route.length;
  const candidates = verdicts.filter(({ problems }) => !problems.some(isTypeProblem));
  const [best] = candidates.toSorted(
    (left, right) => depth(right) - depth(left) || left.problems.length - right.problems.length,
  );
  if (best !== undefined) return best.problems;
  const types = [...new Set(schemas.flatMap((schema) => (isObject(schema) ? (typesOf(schema) ?? []) : [])))];
  return [{ route, keyword: 'type', wanted: types, actual: value }];
}

function depth({ problems }: Verdict): number {
  return problems.reduce((deepest, { route }) => Math.max(deepest, route.length), 0);
}
