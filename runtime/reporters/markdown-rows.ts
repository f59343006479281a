import { cutText } from '#grammar/source/cut-text.ts';
import type { StepView } from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { comparedLines } from './failure-text.ts';
import type { KeptFile } from './kept-paths.ts';
import { fullTitleOf } from './step-title.ts';

/** Characters (UTF-16 units) of one text in a cell. */
const LONGEST = 500;

/** Head of a table of steps, whose rows `row` makes. */
export const tableHead: readonly string[] = ['| Step | Place | Message |', '|---|---|---|'];

/** Lines of a failed step: its message, what was there and what was expected. */
export function failedLines({ error }: RunRecord): readonly string[] {
  return [error?.message ?? 'The step failed.', ...comparedLines(error ?? {})];
}

/** Row of a step, with lines in its last cell and the paths of what was kept of it. */
export function row(
  step: StepView,
  { file, line }: RunRecord,
  message: readonly string[],
  kept: readonly KeptFile[] = [],
): string {
  const lines = [...message, ...kept.map(({ path }) => path)].map(cell).join('<br>');
  return `| ${cell(fullTitleOf(step))} | ${cell(`${file}:${line}`)} | ${lines} |`;
}

/** Text of strangers: neither markup nor a new row, and no mention of anybody. */
export function cell(text: string): string {
  const short = cutText(text, LONGEST);
  return short
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_{}[\]()#+!|>~@:$-]/g, (sign) =>
      // A backslash keeps none of these from being a list, an address, a mention or a formula.
      ':-@$'.includes(sign) ? `&#${sign.charCodeAt(0)};` : `\\${sign}`,
    );
}
