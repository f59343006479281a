import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fakeClock } from '#runtime/hosts/memory/clock.ts';
import { IntervalJobs } from '#runtime/services/intervals/interval-jobs.ts';
import type { Clock } from '#schemas/types/host.ts';

import { failureOf, session } from '../../call.ts';

const SECOND = 1000;

function world() {
  const clock = fakeClock(Date.parse('2026-03-29T00:59:00Z'));
  const failed: string[] = [];
  const jobs = new IntervalJobs(clock, (name, reason) => failed.push(`${name}: ${reason}`));
  const fired: number[] = [];
  const begin = clock.monotonic();
  const add = (name: string, pause: number, run: () => unknown = () => undefined): void =>
    jobs.add({ name, pause, run: async () => (fired.push(clock.monotonic() - begin), void (await run())) });
  return { clock, jobs, fired, failed, add };
}

const never = new AbortController().signal;

describe('jobs at intervals', () => {
  it('begin after one interval, and repeat until time is over', async () => {
    const { clock, jobs, fired, add } = world();
    add('look', 10 * SECOND);
    const run = jobs.run(35 * SECOND, never);
    await clock.advance(35 * SECOND);
    await run;
    expect(fired).toEqual([10 * SECOND, 20 * SECOND, 30 * SECOND]);
    expect(jobs.counts()).toEqual(new Map([['look', 3]]));
  });

  it('pause between the end of a run and the next', async () => {
    const { clock, jobs, fired, add } = world();
    add('slow', 10 * SECOND, () => clock.sleep(5 * SECOND));
    const run = jobs.run(45 * SECOND, never);
    await clock.advance(60 * SECOND);
    await run;
    expect(fired).toEqual([10 * SECOND, 25 * SECOND, 40 * SECOND]);
  });

  it('go on after a failure, which is told and not counted', async () => {
    const { clock, jobs, failed, add } = world();
    let runs = 0;
    add('odd', SECOND, () => {
      runs += 1;
      if (runs === 1) throw new Error('no luck');
    });
    const run = jobs.run(2.5 * SECOND, never);
    await clock.advance(3 * SECOND);
    await run;
    expect(failed).toEqual(['odd: no luck']);
    expect(jobs.counts().get('odd')).toBe(1);
  });

  it('plan anew with each run, and fire once', async () => {
    const { clock, jobs, fired, add } = world();
    add('look', 10 * SECOND);
    for (let round = 0; round < 2; round += 1) {
      const run = jobs.run(15 * SECOND, never);
      await clock.advance(15 * SECOND);
      await run;
    }
    expect(fired).toEqual([10 * SECOND, 25 * SECOND]);
  });

  it('end when they are stopped, are forgotten when they are reset, and hear the signal', async () => {
    const { clock, jobs, fired, add } = world();
    add('once', SECOND, () => jobs.stop());
    const forever = jobs.run(null, never);
    await clock.advance(5 * SECOND);
    await forever;
    expect(fired).toHaveLength(1);
    const stop = new AbortController();
    const again = jobs.run(null, stop.signal);
    stop.abort(new Error('interrupted'));
    await expect(again).rejects.toThrow('interrupted');
    jobs.reset();
    expect(jobs.counts()).toEqual(new Map());
    await jobs.run(60 * SECOND, never);
  });

  // Clocks of a European machine go forward in the first night, and back in the second.
  it.each([
    ['2026-03-29T00:30:00Z', 60, 120],
    ['2026-10-25T00:30:00Z', 120, 60],
  ])('know nothing of summer time, in the night of %s', async (begin, before, after) => {
    const clock = fakeClock(Date.parse(begin));
    const changed = Date.parse(begin) + 30 * 60 * SECOND;
    const local: Clock = { ...clock, offset: (time) => (time < changed ? before : after) };
    const fired: number[] = [];
    const jobs = new IntervalJobs(local, () => undefined);
    jobs.add({ name: 'look', pause: 20 * 60 * SECOND, run: async () => void fired.push(local.monotonic()) });
    const run = jobs.run(61 * 60 * SECOND, never);
    await clock.advance(61 * 60 * SECOND);
    await run;
    expect(fired).toEqual([20, 40, 60].map((minutes) => minutes * 60 * SECOND));
  });

  it.each([-3600, 3600])('stay in step where the wall clock is moved by %d seconds', async (seconds) => {
    const clock = fakeClock(Date.parse('2026-06-01T00:00:00Z'));
    let ahead = 0;
    const moved: Clock = { ...clock, now: () => clock.now() + ahead };
    const fired: number[] = [];
    const jobs = new IntervalJobs(moved, () => undefined);
    jobs.add({ name: 'look', pause: 10 * SECOND, run: async () => void fired.push(moved.monotonic()) });
    const run = jobs.run(35 * SECOND, never);
    await clock.advance(15 * SECOND);
    ahead = seconds * SECOND;
    await clock.advance(20 * SECOND);
    await run;
    expect(fired).toEqual([10, 20, 30].map((each) => each * SECOND));
  });
});

describe('WR_schedule', () => {
  it('runs lists with records of their own, which may stop the scheduler', async () => {
    await using unit = await session();
    const then = [['AT_set_variable', { name: 'seen', value: 1 }], ['WR_stop_scheduler']];
    await unit.call('WR_schedule', { name: 'look', interval_seconds: 0.01, then });
    await unit.call('WR_run_scheduler_forever');
    expect(await unit.call('WR_scheduler_counts')).toEqual({ look: 1 });
    expect(unit.records.map(({ command }) => command)).toEqual([
      'WR_schedule',
      'AT_set_variable',
      'WR_stop_scheduler',
      'WR_run_scheduler_forever',
      'WR_scheduler_counts',
    ]);
  });

  it('calls functions of modules', async () => {
    const root = await mkdtemp(join(tmpdir(), 'svc-jobs-'));
    try {
      await writeFile(join(root, 'job.mjs'), 'export const calls = [];\nexport function tick() { calls.push(1); }\n');
      await using unit = await session({ root });
      await unit.call('WR_schedule', { name: 'tick', interval_seconds: 0.01, callback: './job.mjs#tick' });
      await unit.call('WR_run_scheduler_for', { seconds: 0.1 });
      const { tick } = (await unit.call('WR_scheduler_counts')) as { tick: number };
      expect(tick).toBeGreaterThan(0);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('refuses a second job of one name, and one with two things to do', async () => {
    await using unit = await session();
    const job = { name: 'look', interval_seconds: 1, then: [['WR_stop_scheduler']] };
    await unit.call('WR_schedule', job);
    expect((await failureOf(unit.call('WR_schedule', job))).facts).toMatchObject({
      name: 'SchedulerError',
      code: 'SVC82010',
    });
    const both = unit.call('WR_schedule', { ...job, name: 'b', callback: './job.mjs#tick' });
    expect((await failureOf(both)).facts.code).toBe('SVC82011');
  });
});
