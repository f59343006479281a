import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { labelOf } from '#grammar/language/label.ts';
import type { TextPlace } from '#grammar/language/label.ts';

import type { TagFilterProblem } from './ast.ts';

/** The diagnostic of a problem in a tag filter that stands at `place`. */
export function tagFilterDiagnostic(problem: TagFilterProblem, place: TextPlace): Diagnostic {
  const at = labelOf(problem, place);
  const { found = '', expected = '' } = problem;
  switch (problem.key) {
    case 'unexpected':
      return d.tagFilterUnexpected({ at, found });
    case 'empty':
      return d.tagFilterEmpty({ at });
    case 'too-deep':
      return d.tagFilterTooDeep({ at, expected });
    case 'incomplete':
    case 'text-not-closed':
    case 'unreadable':
      return d.tagFilterIncomplete({ at });
  }
}
