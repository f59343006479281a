/** Markdown behind a line that opens it. */
export function folded(title: string, text: string): string {
  return `<details>\n<summary>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</summary>\n\n${text}\n</details>`;
}
