/**
 * The offset in the file of the UTF-16 unit `offset` of a JSON text value; `start` and `end` enclose its literal,
 * quotes included. Each escape is one unit of the value.
 */
export function jsonTextOffset(text: string, start: number, end: number, offset: number): number {
  let at = start + 1;
  for (let unit = 0; unit < offset && at < end - 1; unit += 1) {
    if (text.charCodeAt(at) !== 92) at += 1;
    else at += text.charCodeAt(at + 1) === 117 ? 6 : 2;
  }
  return Math.min(at, end - 1);
}
