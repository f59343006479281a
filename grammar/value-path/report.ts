import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { labelOf } from '#grammar/language/label.ts';
import type { TextPlace } from '#grammar/language/label.ts';

import type { PathProblem } from './parse.ts';

/** The diagnostic of a problem in a path that stands at `place`. */
export function pathDiagnostic(problem: PathProblem, place: TextPlace): Diagnostic {
  const at = labelOf(problem, place);
  switch (problem.key) {
    case 'unexpected':
      return d.pathUnexpected({ at, found: problem.found ?? '' });
    case 'empty':
    case 'incomplete':
    case 'unreadable':
      return d.pathIncomplete({ at });
  }
}
