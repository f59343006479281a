import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

import { charset, type Charset } from './charset.ts';

/**
 * Text in the bytes of an encoding, or the text itself where that is UTF-8. Fails for a name that cannot be written and for a
 * character that the encoding lacks. Names are those of Python and of the web; case, dashes and underscores make no difference.
 */
export function encodeText(text: string, encoding: string): string | Uint8Array {
  const name = encoding.toLowerCase().replace(/[-_ :.]/g, '');
  if (name === 'utf8' && text.isWellFormed()) return text;
  const found = charset(name);
  if (found === undefined) throw fail.unknownEncoding({ name: encoding });
  return encodeWith(found, text, encoding);
}

function encodeWith({ mark, put }: Charset, text: string, encoding: string): Uint8Array {
  const out = new Uint8Array(mark.length + text.length * 4);
  out.set(mark);
  let at = mark.length;
  let index = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const end = point >= 0xd800 && point <= 0xdfff ? -1 : put(point, out, at);
    if (end < 0) throw notEncodable(point, index, encoding);
    at = end;
    index += 1;
  }
  return out.subarray(0, at);
}

function notEncodable(point: number, index: number, encoding: string): Failure {
  const isHalf = point >= 0xd800 && point <= 0xdfff;
  const shown = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return fail.textNotEncodable({ character: isHalf ? '\ufffd' : String.fromCodePoint(point), point: shown, index, encoding });
}
