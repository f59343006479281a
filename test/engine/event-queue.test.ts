import { describe, expect, test } from 'vitest';

import { EventQueue } from '#compiler/engine/event-queue.ts';
import type { RunEvent } from '#schemas/types/run-event.ts';

const counts = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };
const notice = (text: string): RunEvent => ({ kind: 'notice', level: 'info', text });
const ended: RunEvent = { kind: 'unit-finished', source: 'a.yaml', status: 'passed', counts, duration_ms: 1 };
const shown = (bytes: number): RunEvent => ({
  kind: 'step-finished',
  step: { id: 'a.yaml#0', command: 'X', part: 'body', source: 'a.yaml' },
  record: {
    v: 1,
    run: 'r',
    plan: 'p',
    id: 'a.yaml#0',
    command: 'X',
    file: 'a.yaml',
    line: 1,
    column: 1,
    status: 'passed',
    started_at: '2026-01-01T00:00:00.000Z',
    duration_ms: 1,
    attempts: 1,
  },
  evidence: [{ kind: 'picture', name: 'a', mediaType: 'image/png', bytes: new Uint8Array(bytes) }],
});

async function all(queue: EventQueue): Promise<readonly string[]> {
  const told: string[] = [];
  for await (const event of queue) told.push(event.kind === 'notice' ? event.text : event.kind);
  return told;
}

describe('the events of a run that nobody reads', () => {
  test('are bounded by number: what is left out is told of where it would have been, and ends are kept', async () => {
    const queue = new EventQueue({ most: 3 });
    for (let count = 0; count < 10; count++) queue.add(notice(`${count}`));
    queue.add(ended);
    queue.add(notice('late'));
    queue.end();
    expect(await all(queue)).toEqual([
      '0',
      '1',
      '2',
      '7 events were left out here: they were not read in time',
      'unit-finished',
      '1 events were left out here: they were not read in time',
    ]);
  });

  test('are bounded by what they show', async () => {
    const queue = new EventQueue({ mostBytes: 100 });
    for (const bytes of [60, 60, 40]) queue.add(shown(bytes));
    queue.end();
    expect(await all(queue)).toEqual([
      'step-finished',
      '1 events were left out here: they were not read in time',
      'step-finished',
    ]);
  });

  test('have room again once they are read, and are let go when the reader leaves', async () => {
    const queue = new EventQueue({ most: 2 });
    const reading = queue[Symbol.asyncIterator]();
    for (let count = 0; count < 6; count++) {
      queue.add(notice(`${count}`));
      expect((await reading.next()).value).toEqual(notice(`${count}`));
    }
    await reading.return(undefined);
    queue.add(notice('nobody'));
    queue.end();
    expect(await all(queue)).toEqual([]);
  });
});
