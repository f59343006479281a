import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { labelOf } from '#grammar/language/label.ts';
import type { TextPlace } from '#grammar/language/label.ts';

import type { ReferenceProblem } from './ast.ts';

/** The diagnostic of a problem in a text that stands at `place`. */
export function referenceDiagnostic(problem: ReferenceProblem, place: TextPlace): Diagnostic {
  const at = labelOf(problem, place);
  const { found = '', expected = '', nearest } = problem;
  switch (problem.key) {
    case 'not-closed':
      return d.referenceNotClosed({ at, expected });
    case 'too-long':
      return d.referenceTooLong({ at, expected });
    case 'unknown-kind':
      return d.unknownReferenceKind({
        at,
        found,
        nearest,
        fixes: replacement({ ...problem, ...problem.whole }, place, nearest),
      });
    case 'name-missing':
      return d.referenceWithoutName({ at });
    case 'unexpected':
      return d.referenceUnexpected({
        at,
        found,
        nearest,
        fixes: replacement({ ...problem, ...problem.whole }, place, nearest),
      });
    case 'unknown-conversion':
      return d.unknownConversion({
        at,
        found,
        expected,
        nearest,
        fixes: replacement(problem, place, nearest === undefined ? undefined : `:${nearest}`),
      });
    case 'no-conversion':
      return d.conversionWithoutUse({ at, found });
    case 'no-default':
      return d.defaultWithoutUse({ at, found });
    case 'nested':
      return d.braceInReference({
        at,
        found,
        nearest,
        fixes: replacement({ ...problem, ...problem.whole }, place, nearest),
      });
    case 'unknown-member':
      return d.unknownReferenceMember({ at, found, expected, nearest, fixes: replacement(problem, place, nearest) });
    case 'unreadable':
      return d.unreadableReference({ at });
  }
}

function replacement(
  { from, to }: ReferenceProblem,
  { route, offset = 0 }: TextPlace,
  text: string | undefined,
): readonly Fix[] {
  if (text === undefined) return [];
  return [
    {
      title: `write ${text}`,
      safety: 'unsafe',
      operations: [{ kind: 'replace-text', route, from: from + offset, to: to + offset, text }],
    },
  ];
}
