import type { Decoder } from './decoder.ts';

const LITTLE = [0xff, 0xfe, 0, 0];
const BIG = [0, 0, 0xfe, 0xff];

/** Reads four bytes as one code point; a mark of the other order at the start turns the order round. */
export function openUtf32(isLittle: boolean, fatal: boolean): Decoder {
  let order: boolean | undefined;
  let rest = new Uint8Array(0);
  const bad = (): number => {
    if (fatal) throw new TypeError('utf-32');
    return 0xfffd;
  };
  return {
    decode: (bytes) => {
      const all = rest.length === 0 ? bytes : Uint8Array.from([...rest, ...bytes]);
      if (all.length < 4) {
        rest = all.slice();
        return '';
      }
      order ??= startsWith(all, isLittle ? BIG : LITTLE) ? !isLittle : isLittle;
      const end = all.length - (all.length % 4);
      rest = all.slice(end);
      return points(all.subarray(0, end), order, bad);
    },
    end: () => (rest.length === 0 ? '' : String.fromCodePoint(bad())),
  };
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function points(bytes: Uint8Array, isLittle: boolean, bad: () => number): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const point = view.getUint32(at, isLittle);
    parts.push(String.fromCodePoint(point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? bad() : point));
  }
  return parts.join('');
}
