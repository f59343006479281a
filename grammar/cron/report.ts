import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { labelOf } from '#grammar/language/label.ts';
import type { TextPlace } from '#grammar/language/label.ts';

import type { CronProblem } from './ast.ts';

/** The diagnostic of a problem in a cron expression that stands at `place`. */
export function cronDiagnostic(problem: CronProblem, place: TextPlace): Diagnostic {
  const at = labelOf(problem, place);
  const { found = '', expected = '', nearest } = problem;
  switch (problem.key) {
    case 'fields':
      return d.cronFields({ at, found });
    case 'unexpected':
      return d.cronUnexpected({ at, found });
    case 'out-of-range':
      return d.cronValue({ at, found, expected });
    case 'unknown-name':
      return d.cronName({ at, found, expected, nearest });
    case 'falling-range':
      return d.cronRange({ at, found, parts: expected });
    case 'zero-step':
      return d.cronStep({ at });
    case 'nickname':
      return d.cronNickname({ at, found, nearest });
    case 'unreadable':
      return d.unreadableCron({ at });
  }
}
