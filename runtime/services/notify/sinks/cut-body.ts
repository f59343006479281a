/** Bytes of a body that are sent. */
const BODY_BYTES = 65_536;
const TRUNCATED = '… [truncated]';

/** A body of at most so many UTF-8 bytes, and a mark behind one that was cut. No character is cut in two. */
export function cutBody(body: string, bytes = BODY_BYTES): string {
  // No character takes more than three bytes for each unit of its text.
  if (body.length * 3 <= bytes) return body;
  const encoded = new TextEncoder().encode(body);
  if (encoded.length <= bytes) return body;
  let end = bytes;
  while (((encoded[end] ?? 0) & 0xc0) === 0x80) end--;
  return new TextDecoder().decode(encoded.subarray(0, end)) + TRUNCATED;
}
