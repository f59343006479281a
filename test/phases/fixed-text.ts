import type { Compilation } from '#compiler/api.ts';
import { fixEdits } from '#compiler/report/fix-edits.ts';
import { locate, type SourceText } from '#compiler/report/locate.ts';
import { applyEdits, compatible } from '#grammar/source/edit.ts';
import type { SourceId } from '#schemas/types/place.ts';

/** The text of the first file with the first fix of each finding applied; undefined where nothing offers one. */
export function fixedText({ files, diagnostics }: Compilation): string | undefined {
  const [file] = files;
  const sources = new Map(files.map((each): [SourceId, SourceText] => [each.source, each]));
  const groups = locate(diagnostics, sources).flatMap((located) => {
    const [fix] = located.diagnostic.fixes;
    return fix === undefined || located.primary.source !== file?.source
      ? []
      : [{ edits: fixEdits(located, fix, sources) }];
  });
  if (file === undefined || groups.length === 0) return undefined;
  return applyEdits(
    file.text,
    compatible(groups).flatMap(({ edits }) => edits),
  );
}
