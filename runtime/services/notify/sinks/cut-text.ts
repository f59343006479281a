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

/** The same, of at most so many bytes, its mark included, once JSON has escaped it: quotes and line breaks take two. */
export function cutInJson(body: string, bytes: number): string {
  for (let limit = bytes; ;) {
    const cut = cutBody(body, limit);
    const size = new TextEncoder().encode(JSON.stringify(cut)).length - '""'.length;
    if (size <= bytes) return cut;
    limit = Math.floor((limit * bytes) / size);
  }
}

/**
 * The text, cut to at most so many characters, as services count them: UTF-16 units. One that was cut ends with
 * an ellipsis, which counts.
 */
export function cutText(text: string, length: number, mark = '…'): string {
  if (text.length <= length) return text;
  const end = length - mark.length;
  const last = text.charCodeAt(end - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end) + mark;
}
