/** A subject stands in one line. */
export function oneLine(text: string): string {
  return text.replace(/(?<!\s)\s+/g, (blanks) => (/[\r\n\u2028\u2029]/.test(blanks) ? ' ' : blanks)).trim();
}

/**
 * The chat dialect as plain text. It knows entities for links and mentions; signs of emphasis and code have none, so
 * characters without width stand around them where they would count. Between letters (`a_b`) they do not count.
 */
export function escapeChat(text: string): string {
  const entities = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return entities.replace(/(?<![\p{L}\p{N}])[*_~`]+|[*_~`]+(?![\p{L}\p{N}])/gu, '\u200b$&\u200b');
}

/** Markdown as plain text; `@everyone` and the like call nobody, since a character without width stands in them. */
export function escapeDiscord(text: string): string {
  return escapeMarkdown(text).replaceAll('@', '@\u200b');
}

/**
 * Escapes characters that begin or end emphasis, code, links and tags, and those that make a line a heading or
 * a quote.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|[\]<]/g, '\\$&').replace(/^([^\S\r\n\u2028\u2029]*)([#>])/gm, '$1\\$2');
}
