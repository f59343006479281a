import { textEdits } from '#grammar/document/edit.ts';
import type { Fix, TextEdit } from '#schemas/types/fix.ts';

import { documentOf, type Located, type Sources } from './locate.ts';

/** The text edits of a finding's fix, in its primary file. Empty where the file could not be read as a tree. */
export function fixEdits({ diagnostic, primary }: Located, fix: Fix, sources: Sources): readonly TextEdit[] {
  const document = documentOf(diagnostic, sources.get(primary.source));
  return document ? textEdits(document, fix.operations) : [];
}
