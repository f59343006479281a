import { describe, expect, it } from 'vitest';

import { fakeClock } from '#runtime/hosts/memory/clock.ts';
import type { BlockOutcome } from '#runtime/kernel/ports.ts';
import { ListRuns } from '#runtime/services/schedule/list-runs.ts';
import type { RecordedError } from '#schemas/types/record.ts';

/** A run of one step that failed. */
function failing(error: Partial<RecordedError>): BlockOutcome {
  return {
    failed: 1,
    results: [null],
    steps: [{ id: '0', command: 'FA_x', status: 'failed', error: { name: 'x', message: '', class: 'real', ...error } }],
  };
}

function runsOf(run: () => BlockOutcome, onFailed: (text: string) => void | Promise<void>): ListRuns {
  return new ListRuns({ list: { length: 1, run: async () => run() }, clock: fakeClock(0), onFailed });
}

describe('what is told of background runs that failed', () => {
  it('is everything but that they were stopped, which is known by the code and not by what a text says', async () => {
    const told: string[] = [];
    const outcomes = [
      failing({ code: 'SVC80026', message: 'The run was stopped.' }),
      failing({
        code: 'SVC80032',
        message: 'A step failed.',
        cause: { name: 'run-stopped', code: 'SVC80026', message: 'The run was stopped.', class: 'environment' },
      }),
      failing({ code: 'SVC85000', message: 'There is no file "SVC80026.csv".' }),
    ];
    const runs = runsOf(
      () => outcomes.shift() ?? failing({}),
      (text) => void told.push(text),
    );
    for (let count = 0; count < 3; count += 1) await runs.start({});
    await runs.idle();
    expect(told).toEqual(['0 FA_x: There is no file "SVC80026.csv".']);
  });

  it('is one message at a time: what fails meanwhile stands in the next, the first few and how many more', async () => {
    const told: string[] = [];
    const answers: (() => void)[] = [];
    let count = 0;
    const runs = runsOf(
      () => failing({ message: `no ${count++}` }),
      (text) => {
        told.push(text);
        return new Promise((resolve) => void answers.push(resolve));
      },
    );
    for (let run = 0; run < 31; run += 1) await runs.start({});
    expect(told).toEqual(['0 FA_x: no 0']);
    answers.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toHaveLength(2);
    expect(told[1]?.split('\n')).toEqual([
      ...Array.from({ length: 20 }, (_, index) => `0 FA_x: no ${index + 1}`),
      '(+10 more runs that failed)',
    ]);
    answers.shift()?.();
    await runs.idle();
    expect(told).toHaveLength(2);
  });

  it('does not depend on who is told', async () => {
    let count = 0;
    const runs = runsOf(
      () => failing({ message: 'no' }),
      () => {
        count += 1;
        throw new Error('nobody there');
      },
    );
    await runs.start({});
    await runs.start({});
    await runs.idle();
    expect(count).toBe(2);
  });
});
