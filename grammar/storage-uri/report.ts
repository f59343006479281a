import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { labelOf } from '#grammar/language/label.ts';
import type { TextPlace } from '#grammar/language/label.ts';

import type { StorageUriProblem } from './ast.ts';

/** The diagnostic of a problem in an address of storage that stands at `place`. */
export function storageUriDiagnostic(problem: StorageUriProblem, place: TextPlace): Diagnostic {
  const at = labelOf(problem, place);
  const { found = '', expected = '', nearest } = problem;
  switch (problem.key) {
    case 'scheme':
      return d.storageScheme({ at, found, expected, nearest });
    case 'without-scheme':
      return d.storageWithoutScheme({ at });
    case 'slashes':
      return d.storageSlashes({ at, found });
    case 'incomplete':
      return d.storageIncomplete({ at, expected });
    case 'port':
      return d.storagePort({ at, found, expected });
    case 'host':
    case 'character':
      return d.storageUnexpected({ at, found });
    case 'empty':
    case 'unreadable':
      return d.storageIncomplete({ at, expected: 'a path or a scheme' });
  }
}
