import { textEdits } from '#grammar/document/edit/edit.ts';
import type { Fix, TextEdit } from '#schemas/types/fix.ts';
import type { SourceId } from '#schemas/types/place.ts';

import { documentOf, type Located, type Sources } from './locate.ts';

/** Making and checking edits reads the file again: of a file with more findings, those behind these show no fixes. */
const MOST_FIXED = 50;

/** The findings whose fixes are written out. */
export function fixable(located: readonly Located[]): ReadonlySet<Located> {
  const counts = new Map<SourceId, number>();
  return new Set(
    located.filter(({ diagnostic, primary }) => {
      const count = counts.get(primary.source) ?? 0;
      if (diagnostic.fixes.length === 0 || count >= MOST_FIXED) return false;
      counts.set(primary.source, count + 1);
      return true;
    }),
  );
}

/**
 * The text edits of a finding's fix, in its primary file. Empty where the file could not be read as a tree, and where
 * it would show a secret.
 */
export function fixEdits({ diagnostic, primary }: Located, fix: Fix, sources: Sources): readonly TextEdit[] {
  const document = documentOf(diagnostic, sources.get(primary.source));
  const edits = document ? textEdits(document, fix.operations) : [];
  const { hide } = primary.file ?? {};
  return hide && edits.some(({ text }) => hide(text) !== text) ? [] : edits;
}
