/**
 * Refuses runs that say that they are longer than what they are part of: the library writes out every run that it
 * meets, so a few bytes could ask for the whole memory. `count` values of `width` bits stand from `at` on.
 */
export function checkRuns(view: DataView, at: number, width: number, count: number): void {
  let seen = 0;
  let place = at;
  while (seen < count && place < view.byteLength) {
    const { value: header, next } = varint(view, place);
    const length = header >>> 1;
    const isPacked = header % 2 === 1;
    // Packed values end with the bytes; some writers fill them up far beyond the last value.
    if (!isPacked && length > count) throw new RangeError('a run that is longer than its page');
    seen += isPacked ? length * 8 : length;
    place = next + (isPacked ? length * width : (width + 7) >> 3);
  }
}

/** Reads a number without a sign; one of more than 32 bits is refused: it is no length of anything. */
function varint(view: DataView, at: number): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = view.getUint8(at + index);
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return value < 2 ** 32 ? { value, next: at + index + 1 } : tooLong();
  }
  return tooLong();
}

function tooLong(): never {
  throw new RangeError('a length of more than 32 bits');
}
