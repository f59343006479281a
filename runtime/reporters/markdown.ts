import type { Reporter, ReporterTarget } from '#runtime/kernel/events.ts';
import type { Counts } from '#schemas/types/run-event.ts';

import { duration } from './duration.ts';
import { keptFiles } from './kept-paths.ts';
import { cell, failedLines, row, tableHead } from './markdown-rows.ts';

/** Failures that the summary lists, so that it stays below what build servers take. */
const MOST = 100;

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
  return ['', `### ${title}`, '', ...tableHead, ...rows.slice(0, MOST), ...more];
}
