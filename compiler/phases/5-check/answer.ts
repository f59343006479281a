import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/** Whether a value fits; `unknown` where a reference decides. */
export type Answer = 'yes' | 'no' | 'unknown';

/** One thing that does not fit, said in terms of the schema. */
export interface Problem {
  /** Route from the value that was checked. */
  readonly route: Route;
  readonly keyword: string;
  /** Value of the keyword. */
  readonly wanted: Json;
  /** The value at the route, or for `required` and `additionalProperties` the name that is missing or too much. */
  readonly actual: Json;
  /** JSON types that a reference stands for. */
  readonly is?: readonly string[];
}

export interface Verdict {
  readonly answer: Answer;
  readonly problems: readonly Problem[];
}

export const YES: Verdict = { answer: 'yes', problems: [] };
export const UNKNOWN: Verdict = { answer: 'unknown', problems: [] };

export function no(problem: Problem): Verdict {
  return { answer: 'no', problems: [problem] };
}

/** All must fit. */
export function all(verdicts: readonly Verdict[]): Verdict {
  const problems = verdicts.flatMap((verdict) => verdict.problems);
  if (verdicts.some(({ answer }) => answer === 'no')) return { answer: 'no', problems };
  return verdicts.some(({ answer }) => answer === 'unknown') ? UNKNOWN : YES;
}
