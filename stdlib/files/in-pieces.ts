const ENOUGH = 64 * 1024;

/** Joins short lines to pieces that are worth writing. */
export async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < ENOUGH) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
