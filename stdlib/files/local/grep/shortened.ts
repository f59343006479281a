/** The text, cut to at most so many UTF-16 units and an ellipsis where something is cut; never half a character. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  return `${text.slice(0, isHalf ? limit - 1 : limit)}…`;
}
