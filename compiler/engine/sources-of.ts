import type { Compilation } from '#compiler/api.ts';
import type { Sources, SourceText } from '#compiler/report/locate.ts';
import type { SourceId } from '#schemas/types/place.ts';

/** Sources in which the places of findings are looked up. */
export function sourcesOf(files: Compilation['files']): Sources {
  return new Map(
    files.map((file): [SourceId, SourceText] => [
      file.source,
      {
        text: file.text,
        ...(file.document && { document: file.document }),
        ...(file.migrated && { migrated: file.migrated }),
      },
    ]),
  );
}
