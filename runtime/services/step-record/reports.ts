import type { Counts, ReporterTarget, RunEvent, UnitOutcome } from '#runtime/kernel/events.ts';
import { outgoing } from '#runtime/reporters/outgoing.ts';

import type { KeptStep } from './kept-step.ts';

/** Tells a record to a reporter, as a run would, and yields what it writes. */
export async function reportOf(name: 'html' | 'junit', kept: readonly KeptStep[]): Promise<string> {
  const parts: string[] = [];
  const target: ReporterTarget = {
    write: (text, form = 'people') => void parts.push(outgoing(text, form)),
    colour: false,
    live: false,
    columns: 80,
  };
  const reporter =
    name === 'html'
      ? (await import('#runtime/reporters/html/html.ts')).html(target)
      : (await import('#runtime/reporters/junit.ts')).junit(target);
  for (const event of eventsOf(kept)) reporter.event(event);
  await reporter.end?.();
  return parts.join('');
}

function* eventsOf(kept: readonly KeptStep[]): Iterable<RunEvent> {
  const [first] = kept;
  const parts = [...Map.groupBy(kept, ({ step }) => step.source)].map(([file, steps]) => ({
    file,
    counts: countsOf(steps),
    span: spanOf(steps),
  }));
  const files = parts.map(({ file, counts, span }): UnitOutcome => ({
    file,
    status: counts.failed > 0 ? 'failed' : 'passed',
    counts,
    duration_ms: lengthOf([span]),
  }));
  yield {
    kind: 'run-started',
    run: first?.record.run ?? '',
    started_at: first?.record.started_at ?? '',
    units: files.map(({ file, counts }) => ({
      source: file,
      steps: counts.passed + counts.failed,
      on_failure: 'stop',
    })),
    dry_run: false,
  };
  for (const { step, record } of kept) yield { kind: 'step-finished', step, record, evidence: [] };
  for (const { file: source, status, counts, duration_ms } of files)
    yield { kind: 'unit-finished', source, status, counts, duration_ms };
  const counts = countsOf(kept);
  yield {
    kind: 'run-finished',
    outcome: {
      run: first?.record.run ?? '',
      status: counts.failed > 0 ? 'failed' : 'passed',
      counts,
      duration_ms: lengthOf(parts.map(({ span }) => span)),
      files,
    },
  };
}

function countsOf(steps: readonly KeptStep[]): Counts {
  const failed = steps.filter(({ record }) => record.status === 'failed').length;
  const flaky = steps.filter(({ record }) => record.flaky).length;
  return { passed: steps.length - failed, flaky, failed, skipped: 0, dry_run: 0 };
}

interface Span {
  /** Milliseconds since 1970. */
  readonly begin: number;
  readonly end: number;
}

/** Time from the beginning of the first step to the end of the last. */
function spanOf(steps: readonly KeptStep[]): Span {
  let begin = Infinity;
  let end = 0;
  for (const { record } of steps) {
    const at = Date.parse(record.started_at);
    begin = Math.min(begin, at);
    end = Math.max(end, at + record.duration_ms);
  }
  return { begin, end };
}

function lengthOf(spans: readonly Span[]): number {
  const begin = spans.reduce((least, span) => Math.min(least, span.begin), Infinity);
  return Math.max(spans.reduce((most, span) => Math.max(most, span.end), 0) - begin, 0);
}
