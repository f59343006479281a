const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** JSON that may stand in a page, also in an attribute with single quotes, and means the same. */
export function escapeJson(text: string): string {
  return text.replace(/[&<>']/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
