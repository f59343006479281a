/** Lines that end with LF, CR LF or CR; what stands behind the last end counts as one. */
export async function countLines(text: AsyncIterable<string>): Promise<number> {
  let lines = 0;
  let last = '\n';
  for await (const piece of text) {
    lines += countOf(piece, '\n');
    if (piece.includes('\r')) lines += loneReturns(piece);
    // A return at the end of a piece was counted: the line feed that follows it ends the same line.
    if (last === '\r' && piece.startsWith('\n')) lines -= 1;
    last = piece.at(-1) ?? last;
  }
  return last === '\n' || last === '\r' ? lines : lines + 1;
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}

function loneReturns(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) if (text[at + 1] !== '\n') count += 1;
  return count;
}
