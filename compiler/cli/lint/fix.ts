import type { Linted } from '#compiler/api.ts';
import { fixEdits } from '#compiler/report/fix-edits.ts';
import { locate } from '#compiler/report/locate.ts';
import { applyEdits, compatible } from '#grammar/source/edit.ts';

import { sourcesOf } from '../session.ts';

/** The texts of files with their safe fixes applied, by path; fixes that touch each other wait for the next round. */
export function fixedTexts({ compilation, diagnostics }: Linted): ReadonlyMap<string, string> {
  const sources = sourcesOf(compilation.files);
  const texts = new Map<string, string>();
  const bySource = Map.groupBy(locate(diagnostics, sources), ({ primary }) => primary.source);
  for (const file of compilation.files.filter(({ isPulledIn }) => !isPulledIn)) {
    const groups = (bySource.get(file.source) ?? []).flatMap((finding) => {
      const fix = finding.diagnostic.fixes.find(({ safety }) => safety === 'safe');
      return fix ? [{ edits: fixEdits(finding, fix, sources) }] : [];
    });
    const edits = compatible(groups).flatMap((group) => group.edits);
    const text = edits.length === 0 ? file.text : applyEdits(file.text, edits);
    if (text !== file.text) texts.set(file.path, text);
  }
  return texts;
}
