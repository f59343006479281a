import { cutText } from '#grammar/source/cut-text.ts';
import type { Reporter, ReporterTarget, StepView } from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';
import type { Counts } from '#schemas/types/run-event.ts';

import { duration } from './duration.ts';
import { comparedLines } from './failure-text.ts';
import { keptFiles, type KeptFile } from './kept-paths.ts';
import { fullTitleOf } from './step-title.ts';

/** Failures that the summary lists, so that it stays below what build servers take. */
const MOST = 100;
const LONGEST = 500;

const allCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** A summary in Markdown for the page of a build: the files, then what failed and what was flaky. */
export function markdown(target: ReporterTarget): Reporter {
  const failed: string[] = [];
  const flaky: string[] = [];
  return {
    showsEvidence: false,
    event(event) {
      if (event.kind === 'step-finished' && !event.record.superseded) {
        const { step, record } = event;
        if (record.status === 'failed') failed.push(row(step, record, failedLines(record), keptFiles(event.evidence)));
        else if (record.flaky) flaky.push(row(step, record, [`Passed after ${record.attempts} attempts.`]));
      }
      if (event.kind !== 'run-finished') return;
      const { status, counts, duration_ms: ms, files, refused = [] } = event.outcome;
      const lines = [
        `## ${status === 'passed' ? '✅ Passed' : '❌ Failed'}: ${allCounts(counts)} in ${duration(ms)}`,
        '',
        '| File | Passed | Failed | Skipped | Time |',
        '|---|---:|---:|---:|---:|',
        ...files.map(({ file, counts: { passed, failed, skipped }, duration_ms: spent }) =>
          ['', cell(file), passed, failed, skipped, duration(spent), ''].join(' | ').trim(),
        ),
        ...files.flatMap(({ file, reason }) =>
          reason === undefined ? [] : ['', `**${cell(file)}**: ${cell(reason)}`],
        ),
        ...refused.flatMap(({ message }) => ['', cell(message)]),
        ...table('Failed', failed),
        ...table('Flaky', flaky),
      ];
      target.write(`${lines.join('\n')}\n`, 'lines');
    },
  };
}

function table(title: string, rows: readonly string[]): readonly string[] {
  if (rows.length === 0) return [];
  const more = rows.length > MOST ? ['', `… and ${rows.length - MOST} more.`] : [];
  return ['', `### ${title}`, '', '| Step | Place | Message |', '|---|---|---|', ...rows.slice(0, MOST), ...more];
}

function failedLines({ error }: RunRecord): readonly string[] {
  return [error?.message ?? 'The step failed.', ...comparedLines(error ?? {})];
}

function row(
  step: StepView,
  { file, line }: RunRecord,
  message: readonly string[],
  kept: readonly KeptFile[] = [],
): string {
  const lines = [...message, ...kept.map(({ path }) => path)].map(cell).join('<br>');
  return `| ${cell(fullTitleOf(step))} | ${cell(`${file}:${line}`)} | ${lines} |`;
}

/** Text of strangers: neither markup nor a new row, and no mention of anybody. */
function cell(text: string): string {
  const short = cutText(text, LONGEST);
  return short
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_{}[\]()#+!|>~@:-]/g, (sign) =>
      sign === ':' || sign === '-' || sign === '@' ? `&#${sign.charCodeAt(0)};` : `\\${sign}`,
    );
}
