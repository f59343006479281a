import * as fail from '#schemas/generated/failures.ts';
import { textOf, type ReadPlace } from '#stdlib/files/text-decoding.ts';

/** Longest line or row: what is longer is no data that is meant to be read line by line. */
export const LONGEST_LINE = 64 * 1024 * 1024;

/** The text of a data file in pieces; bytes that do not fit its encoding are refused. */
export function dataText(place: ReadPlace, path: string, encoding: string): AsyncGenerator<string, void> {
  return textOf(place, path, { encoding, refuse: fail.dataNotDecodable });
}

/** Lines without their ends, LF or CR LF. */
export async function* linesOf(text: AsyncIterable<string>, path: string): AsyncGenerator<string, void> {
  let rest: string[] = [];
  let length = 0;
  for await (const piece of text) {
    let from = 0;
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', from)) {
      const line = rest.join('') + piece.slice(from, at);
      rest = [];
      length = 0;
      from = at + 1;
      yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
    rest.push(piece.slice(from));
    length += piece.length - from;
    if (length > LONGEST_LINE) throw fail.dataLineTooLong({ path, limit: LONGEST_LINE });
  }
  if (length > 0) yield rest.join('');
}
