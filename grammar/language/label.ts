import type { Label } from '#schemas/types/diagnostic.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';

import type { Problem } from './problem.ts';

/** Place of the text that a problem is about: a value of a document, or a part of one that begins at `offset`. */
export interface TextPlace {
  readonly source: SourceId;
  readonly route: Route;
  readonly offset?: number;
}

/** The label of a problem. */
export function labelOf(problem: Problem, { source, route, offset = 0 }: TextPlace): Label {
  return { source, route, part: [problem.from + offset, problem.to + offset] };
}
