import { describe, expect, it } from 'vitest';

import { fakeClock } from '#runtime/hosts/memory/clock.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { BackgroundJob, Block, BlockOutcome } from '#runtime/kernel/ports.ts';
import type { JobSnapshot } from '#runtime/services/schedule/port.ts';
import { Scheduler } from '#runtime/services/schedule/scheduler.ts';
import type { Clock } from '#schemas/types/host.ts';

import { startNotifyServices } from '../../../fixtures/notify-services.ts';
import { failureOf } from '../call-here.ts';
import { session } from '../../session.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A clock that a test can set, in a zone of its own. */
function world(start: string, offset: Clock['offset'] = () => 0) {
  const clock = fakeClock(Date.parse(start));
  const set = { by: 0 };
  const failed: string[] = [];
  const handles: BackgroundJob[] = [];
  const scheduler = new Scheduler({
    clock: { ...clock, now: () => clock.now() + set.by, offset },
    onFailed: (name, text) => void failed.push(`${name}: ${text}`),
    onAdded: (job) => void handles.push(job),
  });
  const now = (): string => new Date(clock.now() + set.by).toISOString().slice(0, 19);
  const fired: string[] = [];
  const list = listOf(() => void fired.push(now()));
  const add = (expression: string, more: Partial<Parameters<Scheduler['add']>[0]> = {}): JobSnapshot =>
    scheduler.add({ name: 'job', expression, list, allowOverlap: false, ...more });
  return {
    clock,
    scheduler,
    failed,
    handles,
    fired,
    add,
    set: (ms: number) => void (set.by += ms),
    job: () => scheduler.list()[0],
  };
}

const done: BlockOutcome = { failed: 0, results: [], steps: [] };

function listOf(does: () => unknown, outcome = done): Pick<Block, 'length' | 'run'> {
  return { length: 1, run: async () => (await does(), outcome) };
}

const iso = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString().slice(0, 16);

describe('firing', () => {
  it('begins in the next minute that matches, once a minute', async () => {
    const { add, clock, fired, job } = world('2026-01-02T03:04:30Z');
    add('* * * * *');
    await clock.advance(150_000);
    expect(fired).toEqual(['2026-01-02T03:05:00', '2026-01-02T03:06:00', '2026-01-02T03:07:00']);
    expect(job()).toMatchObject({
      runs: 3,
      lastRun: Date.parse('2026-01-02T03:07:00Z'),
      nextRun: Date.parse('2026-01-02T03:08:00Z'),
      running: false,
      skipped: 0,
    });
  });

  it('waits for the next one when the job is added in a minute that matches, even at its first moment', async () => {
    for (const second of ['00.000', '00.001', '59.999']) {
      const { add, clock, fired } = world(`2026-01-02T03:04:${second}Z`);
      add('4 * * * *');
      await clock.advance(2 * HOUR);
      expect(fired).toEqual(['2026-01-02T04:04:00', '2026-01-02T05:04:00']);
    }
  });

  it('goes by local time, and says when it fires next', async () => {
    const { add, clock, fired, job } = world('2026-01-02T00:00:00Z', () => 330);
    expect(iso(add('0 9 * * *').nextRun)).toBe('2026-01-02T03:30');
    await clock.advance(DAY);
    expect(fired).toEqual(['2026-01-02T03:30:00']);
    expect(iso(job()?.nextRun)).toBe('2026-01-03T03:30');
  });

  it('never comes on a day that there is none of', async () => {
    const { add, clock, fired, job } = world('2026-01-02T00:00:00Z');
    add('0 0 31 2 *');
    expect(job()?.nextRun).toBeUndefined();
    await clock.advance(HOUR);
    expect(fired).toEqual([]);
  });

  it('of several jobs is each on its own', async () => {
    const { add, clock, scheduler } = world('2026-01-02T00:00:30Z');
    add('*/2 * * * *', { name: 'even' });
    add('1-59/2 * * * *', { name: 'odd' });
    await clock.advance(10 * MINUTE);
    expect(scheduler.list().map(({ name, runs }) => [name, runs])).toEqual([
      ['even', 5],
      ['odd', 5],
    ]);
  });
});

/** Berlin in 2026: clocks go forward on 29 March at 01:00 UTC, and back on 25 October at 01:00 UTC. */
const berlin: Clock['offset'] = (at) =>
  at >= Date.parse('2026-03-29T01:00:00Z') && at < Date.parse('2026-10-25T01:00:00Z') ? 120 : 60;

describe('when clocks change for summer', () => {
  it('local minutes that do not exist do not fire', async () => {
    const { add, clock, fired, scheduler } = world('2026-03-28T23:30:00Z', berlin);
    add('30 2 * * *');
    await clock.advance(DAY);
    expect(fired).toEqual([]);
    await clock.advance(DAY);
    expect(fired).toEqual(['2026-03-30T00:30:00']);
    scheduler.removeAll();
  });

  it('local minutes that come twice fire the first time only', async () => {
    const { add, clock, fired } = world('2026-10-24T22:30:00Z', berlin);
    add('*/30 2 * * *');
    await clock.advance(DAY);
    expect(fired).toEqual(['2026-10-25T00:00:00', '2026-10-25T00:30:00']);
  });
});

describe('a clock that somebody sets', () => {
  it('back does not fire again what has fired', async () => {
    const { add, clock, fired, set } = world('2026-01-02T10:50:30Z');
    add('*/15 * * * *');
    await clock.advance(20 * MINUTE);
    set(-15 * MINUTE);
    await clock.advance(25 * MINUTE);
    expect(fired).toEqual(['2026-01-02T11:00:00', '2026-01-02T11:15:00']);
  });

  it('back by far goes on from there', async () => {
    const { add, clock, fired, job, set } = world('2027-06-01T10:00:30Z');
    add('0 * * * *');
    await clock.advance(HOUR);
    set(-400 * DAY);
    await clock.advance(2 * HOUR);
    expect(fired).toEqual(['2027-06-01T11:00:00', '2026-04-27T11:00:35', '2026-04-27T12:00:00', '2026-04-27T13:00:00']);
    expect(iso(job()?.nextRun)).toBe('2026-04-27T14:00');
  });

  it('forward leaves out what was passed over, and is noticed within seconds', async () => {
    const { add, clock, fired, set } = world('2026-01-02T10:50:30Z');
    add('0 * * * *');
    await clock.advance(MINUTE);
    set(3 * HOUR + 8 * MINUTE);
    await clock.advance(MINUTE);
    expect(fired).toEqual(['2026-01-02T14:00:00']);
  });

  it('forward into a minute that matches fires it', async () => {
    const { add, clock, fired, set } = world('2026-01-02T10:50:30Z');
    add('0 * * * *');
    await clock.advance(MINUTE);
    set(8 * MINUTE + 40_000);
    await clock.advance(10_000);
    expect(fired).toHaveLength(1);
  });
});

describe('a process that was busy or asleep', () => {
  it('does not make up for minutes that it has missed', () => {
    const late: (() => void)[] = [];
    let now = Date.parse('2026-01-02T10:58:30Z');
    const fired: string[] = [];
    const clock = {
      ...fakeClock(now),
      now: () => now,
      timer: (_: number, callback: () => void) => (late.push(callback), () => undefined),
    };
    const scheduler = new Scheduler({ clock, onFailed: () => undefined });
    scheduler.add({
      name: 'job',
      expression: '*/5 * * * *',
      list: listOf(() => void fired.push(new Date(now).toISOString())),
      allowOverlap: false,
    });
    now = Date.parse('2026-01-02T11:13:10Z');
    late.pop()?.();
    expect([fired, iso(scheduler.list()[0]?.nextRun)]).toEqual([[], '2026-01-02T11:15']);
    now = Date.parse('2026-01-02T11:15:59Z');
    late.pop()?.();
    expect(fired).toEqual(['2026-01-02T11:15:59.000Z']);
  });
});

describe('a run that takes long', () => {
  it('is not joined by another; the firing counts as skipped', async () => {
    const { add, clock, job } = world('2026-01-02T10:00:30Z');
    add('* * * * *', { list: listOf(() => clock.sleep(150_000)) });
    await clock.advance(5 * MINUTE);
    expect(job()).toMatchObject({ runs: 2, skipped: 3, running: true });
  });

  it('is joined where that is allowed, by a bounded number', async () => {
    const { add, clock, job } = world('2026-01-02T10:00:30Z');
    add('* * * * *', { allowOverlap: true, list: listOf(() => clock.sleep(DAY)) });
    await clock.advance(5 * MINUTE);
    expect(job()).toMatchObject({ runs: 5, skipped: 0 });
    await clock.advance(120 * MINUTE);
    expect(job()).toMatchObject({ runs: 100, skipped: 25 });
  });

  it('goes on when its job is removed, and the job is done with it', async () => {
    const { add, clock, fired, handles, scheduler } = world('2026-01-02T10:00:30Z');
    add('* * * * *', { list: listOf(() => clock.sleep(90_000).then(() => fired.push('end'))) });
    await clock.advance(MINUTE);
    expect(scheduler.remove('job')).toMatchObject({ running: true });
    let isDone = false;
    void handles[0]?.done.then(() => (isDone = true));
    await clock.advance(30_000);
    expect([isDone, scheduler.list(), fired]).toEqual([false, [], []]);
    await clock.advance(60_000);
    expect([isDone, fired]).toEqual([true, ['end']]);
    expect(clock.waiting).toEqual([]);
  });

  it('has five seconds left when its unit ends, then it is cancelled', async () => {
    for (const [ms, expected] of [
      [64_000, 'end'],
      [66_000, 'cancelled'],
    ] as const) {
      const { add, clock, fired, handles } = world('2026-01-02T10:00:30Z');
      const list: Pick<Block, 'length' | 'run'> = {
        length: 1,
        run: async ({ signal } = {}) =>
          clock
            .sleep(ms, signal)
            .then(
              () => void fired.push('end'),
              () => void fired.push('cancelled'),
            )
            .then(() => done),
      };
      add('* * * * *', { list });
      await clock.advance(90_000);
      await clock.run(handles[0]?.stop() ?? Promise.resolve());
      expect(fired).toEqual([expected]);
    }
  });
});

describe('a run that fails', () => {
  const failing: BlockOutcome = {
    failed: 1,
    results: [null],
    steps: [
      {
        id: 'pay',
        command: 'FA_x',
        status: 'failed',
        error: { code: 'SVC85000', name: 'x', message: 'There is no file "a".' } as never,
      },
    ],
  };

  it('is told of, and kept', async () => {
    const { add, clock, failed, job } = world('2026-01-02T10:00:30Z');
    add('* * * * *', { list: listOf(() => undefined, failing) });
    expect(job()?.last).toBeUndefined();
    await clock.advance(MINUTE);
    expect(failed).toEqual(['job: pay FA_x: There is no file "a".']);
    expect(job()?.last).toEqual({
      at: Date.parse('2026-01-02T10:01:00Z'),
      outcome: failing,
      error: 'pay FA_x: There is no file "a".',
    });
  });

  it('is told of before the job is done', async () => {
    const clock = fakeClock(Date.parse('2026-01-02T10:00:30Z'));
    const handles: BackgroundJob[] = [];
    const scheduler = new Scheduler({
      clock,
      onFailed: () => clock.sleep(2000),
      onAdded: (job) => void handles.push(job),
    });
    scheduler.add({
      name: 'job',
      expression: '* * * * *',
      list: listOf(() => undefined, failing),
      allowOverlap: false,
    });
    await clock.advance(30_000);
    expect(scheduler.remove('job')).toMatchObject({ running: false, runs: 1 });
    let isDone = false;
    void handles[0]?.done.then(() => (isDone = true));
    await clock.advance(1900);
    expect(isDone).toBe(false);
    await clock.advance(200);
    expect(isDone).toBe(true);
  });

  it('is not told of where it was stopped', async () => {
    const { add, clock, failed, job } = world('2026-01-02T10:00:30Z');
    const stopped = {
      ...failing,
      steps: [
        {
          id: '0',
          command: 'FA_x',
          status: 'failed',
          error: { code: 'SVC80026', name: 'run-stopped', message: 'The run was stopped: SIGINT.' } as never,
        },
      ],
    } as const;
    add('* * * * *', { list: listOf(() => undefined, stopped) });
    await clock.advance(MINUTE);
    expect([failed, job()?.last?.error]).toEqual([[], '0 FA_x: The run was stopped: SIGINT.']);
  });

  it('is told of also where it cannot begin, and does not end the schedule', async () => {
    const { add, clock, failed, job } = world('2026-01-02T10:00:30Z');
    add('* * * * *', { list: { length: 1, run: () => Promise.reject(new Error('no room')) } });
    await clock.advance(2 * MINUTE);
    expect([failed, job()?.runs, job()?.last?.outcome]).toEqual([['job: no room', 'job: no room'], 2, undefined]);
  });
});

describe('the commands', () => {
  const at = { host: memoryHost({ now: Date.parse('2026-01-02T03:04:05Z') }) };
  const list = [['AT_set_variable', { name: 'x', value: 1 }]];

  it('add, list and remove jobs; times are local with their offset', async () => {
    const { host } = at;
    await using unit = await session({ host });
    // Loads it, so that the run below waits for nothing but the clock.
    await unit.call('AT_set_variable', { name: 'x', value: 0 });
    const added = await unit.call('FA_schedule_add', {
      name: 'one',
      cron_expression: ' */5 * * * * ',
      action_list: list,
    });
    expect(added).toEqual({
      name: 'one',
      cron: '*/5 * * * *',
      actions: 1,
      last_run: null,
      next_run: '2026-01-02T03:05:00+00:00',
      runs: 0,
      allow_overlap: false,
      running: false,
      skipped: 0,
      last_result: null,
    });
    await host.clock.advance(61_000);
    const [job] = (await unit.call('FA_schedule_list')) as readonly Record<string, unknown>[];
    expect(job).toMatchObject({
      last_run: '2026-01-02T03:05:00+00:00',
      runs: 1,
      last_result: { ok: true, results: { 'execute[0]: AT_set_variable': { status: 'ok' } } },
    });
    expect(
      unit.records.filter(({ command }) => command === 'AT_set_variable').map(({ status, parent }) => [status, parent]),
    ).toEqual([
      ['passed', undefined],
      ['passed', 'session#1'],
    ]);
    expect(await unit.call('FA_schedule_remove_all')).toMatchObject([{ name: 'one' }]);
    expect([await unit.call('FA_schedule_list'), await unit.call('FA_schedule_remove_all')]).toEqual([[], []]);
  });

  it('refuse a name that is taken or unknown, and what is no cron expression', async () => {
    await using unit = await session({ host: memoryHost() });
    const add = (cron_expression: string): Promise<unknown> =>
      unit.call('FA_schedule_add', { name: 'one', cron_expression, action_list: list });
    for (const expression of [
      '* * * *',
      '@daily',
      '61 * * * *',
      '* * * * fri-mon',
      '*/0 * * * *',
      '* * * * * *',
      '? * * * *',
    ]) {
      expect((await failureOf(add(expression))).facts).toMatchObject({ code: 'SVC87205', name: 'CronException' });
    }
    await add('* * * * *');
    expect((await failureOf(add('* * * * *'))).facts).toMatchObject({ code: 'SVC87208', name: 'SchedulerException' });
    expect((await failureOf(unit.call('FA_schedule_remove', { name: 'onne' }))).facts).toMatchObject({
      code: 'SVC87209',
      name: 'SchedulerException',
      help: 'did you mean "one"?',
    });
  });

  it('tell sinks of a run that failed', async () => {
    await using services = await startNotifyServices();
    const clock = fakeClock(Date.parse('2026-01-02T03:04:30Z'));
    await using unit = await session({ host: { ...nodeHost(), clock }, settings: { gates: { private: true } } });
    await unit.call('FA_notify_register', { type: 'webhook', options: { url: `${services.url}/hook` } });
    await unit.call('FA_schedule_add', {
      name: 'nightly',
      cron_expression: '* * * * *',
      action_list: [['FA_file_checksum', { path: '/no/such/file' }]],
    });
    await clock.advance(30_000);
    for (let count = 0; count < 500 && services.received.length === 0; count += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(services.received.map(({ json }) => json)).toEqual([
      {
        subject: 'svc: scheduler[nightly] failed',
        body: '0 FA_file_checksum: There is no file "/no/such/file".',
        level: 'error',
      },
    ]);
  });

  it('leave no timer behind at the end of the unit', async () => {
    const host = memoryHost();
    const unit = await session({ host });
    await unit.call('FA_schedule_add', { name: 'one', cron_expression: '* * * * *', action_list: list });
    await unit.end();
    expect(host.clock.waiting).toEqual([]);
  });
});
