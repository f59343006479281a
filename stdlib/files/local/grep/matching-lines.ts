import type { ReadPlace } from '#stdlib/files/text-decoding.ts';

import type { LineMatcher } from './line-matcher.ts';

export interface MatchingLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** A zero byte in so many from the start: the file is no text. */
const LOOKED_AT = 8192;
const CHUNK = 1 << 20;
/** A line that is longer is looked through in parts, so that memory stays bounded. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** The lines of a text file that fit, without their ends. Bytes that are not UTF-8 are left out; a file that is no text has none. */
export async function* matchingLines({ files, signal }: ReadPlace, path: string, matcher: LineMatcher): AsyncGenerator<MatchingLine, void> {
  const decoder = new TextDecoder();
  let line = 1;
  let before = '';
  let open = '';
  let isFirst = true;
  for await (const bytes of files.stream(path, { chunk: CHUNK, reuse: true, signal })) {
    if (isFirst && bytes.subarray(0, LOOKED_AT).includes(0)) return;
    isFirst = false;
    // Lines are counted only where others follow: most files are read in one piece.
    line += countOf(before);
    const text = open + decoder.decode(bytes, { stream: true }).replaceAll('\ufffd', '');
    const end = text.lastIndexOf('\n') + 1;
    before = text.slice(0, end);
    yield* linesOf(before, line, matcher);
    open = text.slice(end);
    if (open.length < LONGEST_LINE) continue;
    line += countOf(before);
    before = '';
    if (matcher.fits(open)) yield { line, text: open };
    open = '';
  }
  const rest = open + decoder.decode().replaceAll('\ufffd', '');
  if (rest !== '') yield* linesOf(rest, line + countOf(before), matcher);
}

function* linesOf(text: string, first: number, matcher: LineMatcher): Generator<MatchingLine, void> {
  if (text === '' || !matcher.mayFit(text)) return;
  let line = first;
  for (let from = 0; from < text.length; line += 1) {
    const at = text.indexOf('\n', from);
    const end = at < 0 ? text.length : at;
    const one = text.slice(from, text[end - 1] === '\r' && end > from ? end - 1 : end);
    if (matcher.fits(one)) yield { line, text: one };
    from = end + 1;
  }
}

function countOf(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
