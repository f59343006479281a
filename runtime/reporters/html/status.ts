import { html, type Markup } from '#grammar/markup/html.ts';

/** What became of a step or a file, as the page shows it. */
export type Status = 'passed' | 'failed' | 'flaky' | 'skipped' | 'shown';

const marks: Readonly<Record<Status, string>> = { passed: '✓', failed: '✗', flaky: '↻', skipped: '–', shown: '○' };

/** A sign for the eye, a word for who has the page read aloud. */
export function mark(status: Status): Markup {
  return html`<span class="mark" role="img" aria-label="${status}">${marks[status]}</span>`;
}
