/** A text as an XPath expression of version 1, which knows no escapes in texts. */
export function xpathText(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  return `concat(${text
    .split('"')
    .map((part) => `"${part}"`)
    .join(`, '"', `)})`;
}
