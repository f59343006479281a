import { html, Markup } from '#grammar/markup/html.ts';
import type { RunRecord } from '#schemas/types/record.ts';

/** Outcome of a step or a file, as the page shows it. */
export type Status = 'passed' | 'failed' | 'flaky' | 'skipped' | 'shown';

/** As references: a page without wide characters takes half the memory, and less time to write. */
const signs: Readonly<Record<Status, string>> = {
  passed: '&#10003;',
  failed: '&#10007;',
  flaky: '&#8635;',
  skipped: '&#8211;',
  shown: '&#9675;',
};

const marks = forEachStatus(
  (status) => html`<span class="mark" role="img" aria-label="${status}">${new Markup(signs[status])}</span>`,
);

/** Markup of each status. */
export function forEachStatus(make: (status: Status) => Markup): Readonly<Record<Status, Markup>> {
  return {
    passed: make('passed'),
    failed: make('failed'),
    flaky: make('flaky'),
    skipped: make('skipped'),
    shown: make('shown'),
  };
}

export function statusOf({ status, flaky }: RunRecord): Status {
  if (flaky) return 'flaky';
  return status === 'dry-run' ? 'shown' : status;
}

/** A sign for the eye, a word for who has the page read aloud. */
export function mark(status: Status): Markup {
  return marks[status];
}
