import type { Reporter, ReporterTarget, RunEvent, StepView } from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { causes } from './failure-text.ts';
import { keptFiles, type KeptFile } from './kept-paths.ts';
import { jsonText } from './outgoing.ts';
import { unitName } from './unit-name.ts';

type Finished = Extract<RunEvent, { kind: 'run-finished' }>;

/** Common Test Report Format (ctrf.io): one test a step, in one JSON object. */
export function ctrf(target: ReporterTarget): Reporter {
  const tests: object[] = [];
  let startedAt = 0;
  return {
    showsEvidence: false,
    event(event) {
      if (event.kind === 'run-started') startedAt = Date.parse(event.started_at);
      if (event.kind === 'step-finished' && !event.record.superseded)
        tests.push(testOf(event.step, event.record, keptFiles(event.evidence)));
      if (event.kind === 'unit-finished' && event.status === 'failed' && event.reason !== undefined)
        tests.push({
          name: event.source,
          status: 'failed',
          duration: 0,
          message: event.reason,
          filePath: unitName(event.source).file,
        });
      // Without a failed test the report would read as passed.
      if (event.kind === 'run-finished')
        for (const { message } of event.outcome.refused ?? [])
          tests.push({ name: 'run', status: 'failed', duration: 0, message });
      if (event.kind === 'run-finished') target.write(`${jsonText(report(event, tests, startedAt), 2)}\n`, 'json');
    },
  };
}

/** The file, and below it the combination of a matrix: tests of one name are told apart by their suite. */
function suiteOf(source: string): readonly string[] {
  const { file, combination } = unitName(source);
  return combination === undefined ? [file] : [file, combination];
}

const STATUS = { passed: 'passed', failed: 'failed', skipped: 'skipped', 'dry-run': 'pending' } as const;

function testOf(step: StepView, record: RunRecord, kept: readonly KeptFile[]): object {
  const { error, row } = record;
  const start = Date.parse(record.started_at);
  const duration = Math.round(record.duration_ms);
  const trace = error ? causes(error).map((cause) => `because: ${cause}`) : [];
  return {
    name: `${step.name ?? record.command}${row === undefined ? '' : ` (row ${row})`}`,
    status: STATUS[record.status],
    duration,
    start,
    stop: start + duration,
    suite: suiteOf(step.source),
    filePath: record.file,
    line: record.line,
    ...(record.attempts > 1 && { retries: record.attempts - 1 }),
    ...(record.flaky && { flaky: true }),
    ...(error ? { message: error.message } : record.reason !== undefined && { message: record.reason }),
    ...(trace.length > 0 && { trace: trace.join('\n') }),
    ...(kept.length > 0 && {
      attachments: kept.map(({ name, mediaType, path }) => ({ name, contentType: mediaType, path })),
    }),
    extra: { id: record.id, command: record.command, ...(error?.code !== undefined && { code: error.code }) },
  };
}

function report({ outcome }: Finished, tests: readonly object[], start: number): object {
  const count = (status: string): number => tests.filter((test) => 'status' in test && test.status === status).length;
  const summary = {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    pending: count('pending'),
    skipped: count('skipped'),
    other: 0,
    start,
    stop: start + Math.round(outcome.duration_ms),
  };
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    results: { tool: { name: 'svc' }, summary, tests },
  };
}
