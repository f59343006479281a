import { textEdits } from '#grammar/document/edit.ts';
import type { Fix, TextEdit } from '#schemas/types/fix.ts';

import type { Located, Sources } from './locate.ts';

/** The text edits of a finding's fix, in its primary file. Empty where the file could not be read as a tree. */
export function fixEdits({ primary }: Located, fix: Fix, sources: Sources): readonly TextEdit[] {
  const document = sources.get(primary.source)?.document;
  return document ? textEdits(document, fix.operations) : [];
}
