import { textEdits } from '#grammar/document/edit/edit.ts';
import type { Fix, TextEdit } from '#schemas/types/fix.ts';
import type { SourceId } from '#schemas/types/place.ts';

import { documentOf, type Located, type Sources } from './locate.ts';

/**
 * Making and checking edits reads the file again: of a file with more findings, those behind these show no fixes, nor
 * those behind which more characters would have been read. Each file has at least one.
 */
const MOST_FIXED = 50;
const MOST_READ = 6_000_000;

/** The findings whose fixes are written out. */
export function fixable(located: readonly Located[]): ReadonlySet<Located> {
  const left = new Map<SourceId, number>();
  return new Set(
    located.filter(({ diagnostic, primary: { source, file } }) => {
      if (diagnostic.fixes.length === 0) return false;
      const more = left.get(source) ?? mostOf(file?.text ?? '');
      left.set(source, more - 1);
      return more > 0;
    }),
  );
}

function mostOf(text: string): number {
  return Math.max(1, Math.min(MOST_FIXED, Math.floor(MOST_READ / Math.max(1, text.length))));
}

/**
 * The text edits of a finding's fix, in its primary file. Empty where the file could not be read as a tree and the fix
 * is one of the tree, and where it would show a secret.
 */
export function fixEdits({ diagnostic, primary }: Located, fix: Fix, sources: Sources): readonly TextEdit[] {
  const document = documentOf(diagnostic, sources.get(primary.source));
  const edits = document ? textEdits(document, fix.operations) : ofText(fix);
  const { hide } = primary.file ?? {};
  return hide && edits.some(({ text }) => hide(text) !== text) ? [] : edits;
}

/** Edits of a file that is no tree: those of its text alone. */
function ofText({ operations }: Fix): readonly TextEdit[] {
  const edits = operations.filter((operation) => operation.kind === 'edit-text');
  return edits.length === operations.length ? edits.map(({ span, text }) => ({ span, text })) : [];
}
