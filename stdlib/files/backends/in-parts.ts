/**
 * A stream cut into parts of one size, the last one smaller; one empty part where nothing comes. Each part is a copy.
 */
export async function* inParts(
  body: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ readonly number: number; readonly bytes: Uint8Array; readonly isLast: boolean }, void> {
  let held: Uint8Array[] = [];
  let have = 0;
  let number = 1;
  const taken = (bytes: number): Uint8Array => {
    const whole = Buffer.concat(held);
    held = bytes < whole.length ? [whole.subarray(bytes)] : [];
    have = whole.length - bytes;
    return new Uint8Array(whole.buffer, whole.byteOffset, bytes);
  };
  for await (const piece of body) {
    // The stream may use its buffer again as soon as it is asked for more.
    held.push(Uint8Array.from(piece));
    have += piece.length;
    // One byte more than a part: then it is not the last one.
    while (have > size) yield { number: number++, bytes: taken(size), isLast: false };
  }
  yield { number, bytes: taken(have), isLast: true };
}
