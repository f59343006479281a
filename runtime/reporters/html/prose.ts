import { html, type Markup } from '#grammar/markup/html.ts';

/** A sentence with what stands between backticks as code. */
export function prose(text: string): Markup {
  const parts = text.split(/`([^`\n]+)`/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}
