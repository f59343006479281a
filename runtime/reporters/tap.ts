import type { Reporter, ReporterTarget, StepView } from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { jsonText } from './outgoing.ts';
import { causes, helpOf, valueText } from './failure-text.ts';

/** TAP 14 (testanything.org): one test point a step, with a YAML block behind failures. */
export function tap(target: ReporterTarget): Reporter {
  let count = 0;
  return {
    showsEvidence: false,
    event(event) {
      if (event.kind === 'run-started') target.write('TAP version 14\n', 'lines');
      if (event.kind === 'step-finished' && !event.record.superseded)
        target.write(point((count += 1), event.step, event.record), 'lines');
      if (event.kind === 'unit-finished' && event.status === 'failed' && event.reason !== undefined)
        target.write(file((count += 1), event.source, event.reason), 'lines');
      // Without a failed point the report would read as passed.
      if (event.kind === 'run-finished')
        for (const { message } of event.outcome.refused ?? [])
          target.write(file((count += 1), 'run', message), 'lines');
      if (event.kind === 'run-finished') target.write(`1..${count}\n`, 'lines');
    },
  };
}

/** A file that failed beside its steps. */
function file(number: number, source: string, reason: string): string {
  return `not ok ${number} - ${escape(source)}\n  ---\n  message: ${jsonText(reason)}\n  severity: "fail"\n  ...\n`;
}

function point(number: number, step: StepView, record: RunRecord): string {
  const status = record.status === 'failed' ? 'not ok' : 'ok';
  const row = record.row === undefined ? '' : ` row ${record.row}`;
  const directive =
    record.status === 'skipped' || record.status === 'dry-run'
      ? ` # SKIP ${escape(record.reason ?? record.status)}`
      : '';
  const line = `${status} ${number} - ${escape(`${record.id}${row} ${step.name ?? step.command}`)}${directive}\n`;
  return record.status === 'failed' ? line + diagnostics(record) : line;
}

function diagnostics(record: RunRecord): string {
  const { error } = record;
  const rows: [string, string][] = [
    ['message', error?.message ?? ''],
    ['severity', 'fail'],
    ['class', error?.class ?? 'real'],
    ['at', `${record.file}:${record.line}:${record.column}`],
  ];
  if (error?.actual !== undefined) rows.push(['actual', valueText(error.actual)]);
  if (error?.expected !== undefined) rows.push(['expected', valueText(error.expected)]);
  if (error) for (const cause of causes(error)) rows.push(['because', cause]);
  const help = error && helpOf(error);
  if (help !== undefined) rows.push(['help', help]);
  return `  ---\n${rows.map(([key, value]) => `  ${key}: ${jsonText(value)}\n`).join('')}  ...\n`;
}

/** `#` and `\` have a meaning in test points. */
function escape(text: string): string {
  return text.replace(/[\\#]/g, '\\$&').replace(/\s+/g, ' ');
}
