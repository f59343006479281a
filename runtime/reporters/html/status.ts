import { html, Markup } from '#grammar/markup/html.ts';
import type { RunRecord } from '#schemas/types/record.ts';

/** Outcome of a step or a file, as the page shows it. */
export type Status = 'passed' | 'failed' | 'flaky' | 'skipped' | 'shown';

/** As references: a page without wide characters takes half the memory, and less time to write. */
const marks: Readonly<Record<Status, Markup>> = {
  passed: signed('passed', '&#10003;'),
  failed: signed('failed', '&#10007;'),
  flaky: signed('flaky', '&#8635;'),
  skipped: signed('skipped', '&#8211;'),
  shown: signed('shown', '&#9675;'),
};

export function statusOf({ status, flaky }: RunRecord): Status {
  if (flaky) return 'flaky';
  return status === 'dry-run' ? 'shown' : status;
}

/** A sign for the eye, a word for who has the page read aloud. */
export function mark(status: Status): Markup {
  return marks[status];
}

function signed(status: Status, sign: string): Markup {
  return html`<span class="mark" role="img" aria-label="${status}">${new Markup(sign)}</span>`;
}
