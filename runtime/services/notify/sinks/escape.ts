/** A subject stands in one line. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ').trim();
}

/** The chat dialect gives a meaning to these three: links, mentions of people and of everybody. */
export function escapeChat(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Markdown as plain text; `@everyone` and the like call nobody, since a character without width stands in them. */
export function escapeDiscord(text: string): string {
  return escapeMarkdown(text).replaceAll('@', '@\u200b');
}

/** What begins or ends emphasis, code, links and tags, and what makes a line a heading or a quote. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|[\]<]/g, '\\$&').replace(/^(\s*)([#>])/gm, '$1\\$2');
}
