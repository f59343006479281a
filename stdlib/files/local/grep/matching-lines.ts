import type { ReadPlace } from '#stdlib/files/text-decoding.ts';

import type { LineMatcher } from './line-matcher.ts';

export interface MatchingLine {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly text: string;
}

/** A zero byte in so many from the start: the file is no text. */
const LOOKED_AT = 8192;
const CHUNK = 1 << 20;
/** A line that is longer is looked through in parts, so that memory stays bounded. */
const LONGEST_LINE = 16 * 1024 * 1024;

/**
 * The lines of a text file that fit, without their ends. Bytes that are not UTF-8 are left out; a file that is no text
 * has none.
 */
export async function* matchingLines(
  { files, signal }: ReadPlace,
  path: string,
  matcher: LineMatcher,
): AsyncGenerator<MatchingLine, void> {
  const decoder = new TextDecoder();
  const decode = (bytes: Uint8Array): string => decoder.decode(bytes, { stream: true });
  let line = 1;
  let before = '';
  let open = '';
  let isFirst = true;
  for await (const bytes of files.stream(path, { chunk: CHUNK, reuse: true, signal })) {
    if (isFirst && bytes.subarray(0, LOOKED_AT).includes(0)) return;
    isFirst = false;
    // Lines are counted only where others follow: most files are read in one piece.
    line += countOf(before);
    const text = open + decoded(decode, bytes);
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
  const rest = open + decoder.decode().replaceAll(SIGN, '');
  if (rest !== '') yield* linesOf(rest, line + countOf(before), matcher);
}

/** A decoder puts it for bytes that do not fit, and those are left out; where it stands in the text itself it stays. */
const SIGN = '\ufffd';
const SIGN_BYTES = 3;

function decoded(decode: (bytes: Uint8Array) => string, bytes: Uint8Array): string {
  const piece = (start: number, end: number): string => decode(bytes.subarray(start, end)).replaceAll(SIGN, '');
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = '';
  let from = 0;
  for (let at = all.indexOf(SIGN); at >= 0; at = all.indexOf(SIGN, from)) {
    text += piece(from, at) + piece(at, at + SIGN_BYTES) + SIGN;
    from = at + SIGN_BYTES;
  }
  return text + piece(from, bytes.length);
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
