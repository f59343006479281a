import type { Span } from '#schemas/types/place.ts';

/** Reason why bytes are no text, and the place. `span` counts in the lenient reading that stands beside it. */
export type TextProblem =
  | { readonly kind: 'bad-utf8'; readonly span: Span; readonly byte: number; readonly offset: number }
  | { readonly kind: 'utf16'; readonly span: Span }
  | { readonly kind: 'cut-off'; readonly span: Span; readonly offset: number }
  | { readonly kind: 'nul'; readonly span: Span }
  | { readonly kind: 'lone-surrogate'; readonly span: Span; readonly unit: string };

export interface DecodedText {
  /** Text less the byte order mark. Where there is a problem: read leniently, for frames only. */
  readonly text: string;
  readonly hadByteOrderMark: boolean;
  readonly problem?: TextProblem;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Reads a file's bytes as UTF-8, or checks a text that is one already. Never throws. */
export function decodeText(input: Uint8Array | string): DecodedText {
  if (typeof input === 'string') return inspect(input);
  const utf16 = isUtf16(input);
  if (utf16 !== undefined) {
    return {
      text: new TextDecoder(utf16).decode(input),
      hadByteOrderMark: true,
      problem: { kind: 'utf16', span: { start: 0, end: 1 } },
    };
  }
  try {
    return inspect(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input));
  } catch {
    return undecodable(input);
  }
}

function inspect(raw: string): DecodedText {
  const hadByteOrderMark = raw.startsWith(BYTE_ORDER_MARK);
  const text = hadByteOrderMark ? raw.slice(1) : raw;
  const nul = text.indexOf('\0');
  if (nul >= 0) return { text, hadByteOrderMark, problem: { kind: 'nul', span: { start: nul, end: nul + 1 } } };
  if (!text.isWellFormed()) {
    const at = loneSurrogate(text);
    return {
      text,
      hadByteOrderMark,
      problem: { kind: 'lone-surrogate', span: { start: at, end: at + 1 }, unit: hex(text.charCodeAt(at), 4) },
    };
  }
  return { text, hadByteOrderMark };
}

/** The offset of the first half of a surrogate pair that has no other half; -1 where there is none. */
export function loneSurrogate(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = text.charCodeAt(at + 1);
    if (unit >= 0xdc00 || !(next >= 0xdc00 && next <= 0xdfff)) return at;
    at += 1;
  }
  return -1;
}

function isUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function undecodable(bytes: Uint8Array): DecodedText {
  const { offset, truncated } = badSequence(bytes);
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
  const all = lenient.decode(bytes);
  const hadByteOrderMark = all.startsWith(BYTE_ORDER_MARK);
  const at = lenient.decode(bytes.subarray(0, offset)).length - (hadByteOrderMark ? 1 : 0);
  const place = { start: at, end: at + 1 };
  const text = hadByteOrderMark ? all.slice(1) : all;
  if (truncated) return { text, hadByteOrderMark, problem: { kind: 'cut-off', span: place, offset } };
  return { text, hadByteOrderMark, problem: { kind: 'bad-utf8', span: place, byte: bytes[offset] ?? 0, offset } };
}

/** Offset of the first ill-formed sequence, and whether it is only the end of the file that makes it so. */
function badSequence(bytes: Uint8Array): { offset: number; truncated: boolean } {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 'truncated') return { offset: at, truncated: true };
    if (length === 0) return { offset: at, truncated: false };
    at += length;
  }
  return { offset: bytes.length, truncated: true };
}

/** Length of the well-formed sequence at `at` (Unicode 15, table 3-7); 0: ill-formed. */
function sequenceLength(bytes: Uint8Array, at: number): number | 'truncated' {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return 'truncated';
    if (!isContinuation(first, index, byte)) return 0;
  }
  return length;
}

function isContinuation(first: number, index: number, byte: number): boolean {
  if (index === 1) {
    if (first === 0xe0) return byte >= 0xa0 && byte <= 0xbf;
    if (first === 0xed) return byte >= 0x80 && byte <= 0x9f;
    if (first === 0xf0) return byte >= 0x90 && byte <= 0xbf;
    if (first === 0xf4) return byte >= 0x80 && byte <= 0x8f;
  }
  return byte >= 0x80 && byte <= 0xbf;
}

/** A number as upper-case hexadecimal digits, at least `width` of them. */
export function hex(value: number, width: number): string {
  return value.toString(16).toUpperCase().padStart(width, '0');
}
