import { plainName } from '#grammar/encoding/reading.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

import { charset, type Charset } from './charset.ts';

/** Treatment of text that has no bytes, or of bytes that are no text: a failure, a stand-in, nothing. */
export type OnBad = 'strict' | 'replace' | 'ignore';

export interface Encoder {
  /** The byte-order mark that a file begins with. */
  readonly mark: Uint8Array;
  /** The bytes of the next piece of a text, without a mark. Two halves of one character must stand in one piece. */
  encode(text: string): Uint8Array;
}

/**
 * Text in the bytes of an encoding, or the text itself where that is UTF-8. Fails for a name that cannot be written and
 * for a character that the encoding lacks. Names are those of Python and of the web; case, dashes and underscores make
 * no difference.
 */
export function encodeText(text: string, encoding: string): string | Uint8Array {
  return import.meta.withoutEncodings ? wellFormed(text, encoding) : encodedText(text, encoding);
}

/** The text; fails where it is not well formed. For programs whose texts are all written in UTF-8. */
function wellFormed(text: string, encoding: string): string {
  if (text.isWellFormed()) return text;
  const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const index = characters.findIndex(isHalf);
  throw notEncodable(characters[index] ?? 0, index, encoding);
}

function encodedText(text: string, encoding: string): string | Uint8Array {
  if (plainName(encoding) === 'utf8' && text.isWellFormed()) return text;
  const { mark, encode } = openEncoder(encoding);
  const bytes = encode(text);
  return mark.length === 0 ? bytes : Buffer.concat([mark, bytes]);
}

/** Opens an encoder for text that comes in pieces. `?` stands for what is replaced. */
export function openEncoder(encoding: string, onBad: OnBad = 'strict'): Encoder {
  const found = charset(plainName(encoding));
  if (found === undefined) throw fail.unknownEncoding({ name: encoding });
  const name = plainName(encoding);
  let index = 0;
  const encode = (text: string): Uint8Array => {
    const quick = encodeQuickly(text, name);
    if (quick !== undefined) {
      // Only a failure tells the place, and in Unicode none is left to come but for text that is not well formed.
      index += text.length;
      return quick;
    }
    const done = encodeWith(found, text, { encoding, onBad, index });
    index += done.characters;
    return done.bytes;
  };
  return { mark: Uint8Array.from(found.mark), encode };
}

/**
 * Bytes of a text that the platform encodes whole: Unicode that is well formed, and ASCII in all encodings that
 * write it as it is.
 */
function encodeQuickly(text: string, name: string): Uint8Array | undefined {
  if (name.startsWith('utf32')) return undefined;
  if (name.startsWith('utf')) {
    if (!text.isWellFormed()) return undefined;
    if (name.startsWith('utf8')) return new TextEncoder().encode(text);
    const bytes = Buffer.from(text, 'utf16le');
    return name === 'utf16be' ? bytes.swap16() : bytes;
  }
  return /[^\0-\x7f]/.test(text) ? undefined : Buffer.from(text, 'latin1');
}

interface Place {
  readonly encoding: string;
  readonly onBad: OnBad;
  /** Characters before this piece. */
  readonly index: number;
}

function encodeWith(
  { put }: Charset,
  text: string,
  { encoding, onBad, index }: Place,
): { readonly bytes: Uint8Array; readonly characters: number } {
  const out = new Uint8Array(text.length * 4);
  let at = 0;
  let characters = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const end = isHalf(point) ? -1 : put(point, out, at);
    if (end >= 0) at = end;
    else if (onBad === 'strict') throw notEncodable(point, index + characters, encoding);
    else if (onBad === 'replace') at = put(0x3f, out, at);
    characters += 1;
  }
  return { bytes: out.subarray(0, at), characters };
}

function notEncodable(point: number, index: number, encoding: string): Failure {
  const shown = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return fail.textNotEncodable({
    character: isHalf(point) ? '\ufffd' : String.fromCodePoint(point),
    point: shown,
    index,
    encoding,
  });
}

/** Half of a character beyond the first plane. */
function isHalf(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff;
}
