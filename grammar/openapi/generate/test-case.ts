import type { JsonObject } from '#schemas/types/json.ts';

export const caseKinds = ['examples', 'random', 'boundaries', 'negatives', 'authentication', 'chains'] as const;
export type CaseKind = (typeof caseKinds)[number];

/** One step of a generated test. */
export interface CaseStep {
  readonly params: JsonObject;
  /** Step options: name, tags, expect, save_as. */
  readonly options: JsonObject;
  /** Values that a smaller test keeps, as `json title` or `params page`: what is tested, and what has to be there. */
  readonly fixed?: readonly string[];
}

/** A generated test: it passes or fails by itself. */
export interface TestCase {
  readonly kind: CaseKind;
  readonly name: string;
  readonly steps: readonly CaseStep[];
}
