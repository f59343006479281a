import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { labelOf } from '#grammar/language/label.ts';
import type { TextPlace } from '#grammar/language/label.ts';

import type { PathProblem } from './parse.ts';

/** The diagnostic of a JSONPath that stands where a path should, and what it means there. */
export function jsonPathDiagnostic(written: string, nearest: string, { source, route }: TextPlace): Diagnostic {
  const fix: Fix = {
    title: `write ${nearest}`,
    safety: 'unsafe',
    operations: [{ kind: 'replace', route, value: nearest }],
  };
  return d.pathUnexpected({ at: { source, route, part: [0, written.length] }, found: '$', nearest, fixes: [fix] });
}

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
