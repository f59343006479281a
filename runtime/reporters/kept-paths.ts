import type { Evidence } from '#schemas/types/run-event.ts';

/** A file that was kept of a step, as reports name it. */
export interface KeptFile {
  readonly name: string;
  readonly mediaType: string;
  readonly path: string;
}

/** Files that were kept of a step: pictures and texts of the page. */
export function keptFiles(evidence: readonly Evidence[]): readonly KeptFile[] {
  return evidence.flatMap((piece) => {
    if (piece.kind === 'picture' && piece.path !== undefined)
      return [{ name: piece.name, mediaType: piece.mediaType, path: piece.path }];
    if (piece.kind === 'text' && piece.path !== undefined)
      return [
        { name: piece.name, mediaType: piece.path.endsWith('.html') ? 'text/html' : 'text/plain', path: piece.path },
      ];
    return [];
  });
}
