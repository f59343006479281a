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

/**
 * The longest cut of a text that takes at most so many bytes once JSON has escaped it: quotes and line breaks take two.
 * `cut` makes one for a limit, which it may pass by a mark behind it; a smaller limit gives a shorter one.
 */
export function withinJson(bytes: number, cut: (limit: number) => string): string {
  for (let limit = bytes; ;) {
    const text = cut(limit);
    const size = new TextEncoder().encode(JSON.stringify(text)).length - '""'.length;
    if (size <= bytes) return text;
    limit = Math.floor((limit * bytes) / size);
  }
}
