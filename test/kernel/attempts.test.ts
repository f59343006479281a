import { describe, expect, test } from 'vitest';

import * as fail from '#schemas/generated/failures.ts';

import { compares, node, runCase, variable, type TestCommands } from './harness.ts';

/** Fails so many times, then yields how often it was called. */
function flaky(times: number, make: () => Error = () => fail.stepTimedOut({ seconds: 1 })): TestCommands {
  let calls = 0;
  return {
    FLAKY: () => {
      calls++;
      if (calls <= times) throw make();
      return calls;
    },
  };
}

describe('retry', () => {
  test('repeats until the step passes, which makes it flaky', async () => {
    const { of, outcome, events } = await runCase({
      commands: flaky(2),
      body: [node('0', 'FLAKY', {}, { retry: { interval_s: 2 } })],
    });
    expect(of('a.yaml#0')).toMatchObject({ status: 'passed', attempts: 3, flaky: true, result: 3 });
    expect(outcome.counts).toMatchObject({ passed: 1, flaky: 1, failed: 0 });
    expect(events.filter((event) => event.kind === 'attempt-failed')).toHaveLength(2);
  });

  test('three attempts unless told otherwise; unlimited within `max_s`', async () => {
    const three = await runCase({ commands: flaky(9), body: [node('0', 'FLAKY', {}, { retry: {} })] });
    expect(three.of('a.yaml#0')).toMatchObject({ status: 'failed', attempts: 3 });
    const many = await runCase({
      commands: flaky(9),
      body: [node('0', 'FLAKY', {}, { retry: { interval_s: 1, max_s: 60 } })],
    });
    expect(many.of('a.yaml#0')).toMatchObject({ status: 'passed', attempts: 10 });
  });

  test('`max_s` bounds all attempts, and the last failure is the cause', async () => {
    const { of, host } = await runCase({
      commands: flaky(99, () => new Error('not yet')),
      body: [node('0', 'FLAKY', {}, { retry: { interval_s: 4, max_s: 10 } })],
    });
    expect(of('a.yaml#0').error).toMatchObject({
      code: 'SVC80039',
      message: 'No attempt passed within 10 s.',
      cause: { message: 'FLAKY broke: not yet' },
    });
    expect(host.clock.monotonic()).toBeLessThan(10_000);
  });

  test.for([
    ['met the same: that of the one before it', 'the same', 'after 6000 ms'],
    ['ran out of time: that of the one before it', 'a limit', 'after 6000 ms'],
    ['met something else: its own', 'another', 'after 2400 ms'],
  ] as const)('the cause, where `max_s` left the last attempt less time and it %s', async ([, kind, message]) => {
    let calls = 0;
    const commands: TestCommands = {
      // As commands do that wait for something: ends by itself before its time is over.
      WAIT: async (_, ctx) => {
        const ms = Math.min(6000, (ctx.step.deadline ?? Infinity) - ctx.clock.monotonic() - 100);
        calls++;
        await ctx.clock.sleep(ms, ctx.signal);
        const text = `after ${calls === 1 ? ms : 2400} ms`;
        if (calls === 1 || kind === 'the same') throw fail.argumentsUnfit({ command: 'WAIT', reason: text });
        throw kind === 'a limit' ? fail.stepTimedOut({ seconds: 2 }) : new Error(text);
      },
    };
    const { of } = await runCase({ commands, body: [node('0', 'WAIT', {}, { retry: { interval_s: 2, max_s: 10 } })] });
    const { error, attempts } = of('a.yaml#0');
    expect({ attempts, code: error?.code }).toEqual({ attempts: 2, code: 'SVC80039' });
    expect(error?.cause?.message).toContain(message);
  });

  test('the cause, where the last attempt had no time to see what is there instead, is the one that saw it', async () => {
    const seen = ['one', 'two', undefined];
    const commands: TestCommands = {
      LOOK: () => {
        const there = seen.shift();
        throw fail.stepTimedOut({ seconds: 1, ...(there !== undefined && { actual: there }) });
      },
    };
    const { of } = await runCase({ commands, body: [node('0', 'LOOK', {}, { retry: { interval_s: 4, max_s: 9 } })] });
    expect(of('a.yaml#0')).toMatchObject({ attempts: 3, error: { code: 'SVC80039', actual: 'two' } });
  });

  test('`max_s` cuts the attempt at work', async () => {
    const { of, host } = await runCase({
      body: [node('0', 'SLEEP', { ms: 60_000 }, { retry: { interval_s: 1, max_s: 10 }, timeout_s: 6 })],
    });
    expect(of('a.yaml#0')).toMatchObject({ attempts: 2, error: { code: 'SVC80039', cause: { code: 'SVC80002' } } });
    expect(of('a.yaml#0').error?.cause?.cause).toBeUndefined();
    expect(host.clock.monotonic()).toBe(10_000);
  });

  test('waits grow to the cap, and chance only takes away', async () => {
    const { events } = await runCase({
      commands: flaky(5),
      body: [node('0', 'FLAKY', {}, { retry: { max_attempts: 6, backoff_base_s: 1, backoff_cap_s: 4 } })],
    });
    const waits = events.flatMap((event) => (event.kind === 'attempt-failed' ? [event.wait_ms / 1000] : []));
    expect(waits).toHaveLength(5);
    waits.forEach((wait, index) => {
      const full = Math.min(2 ** index, 4);
      expect(wait).toBeLessThanOrEqual(full);
      expect(wait).toBeGreaterThanOrEqual(full * 0.75);
    });
  });

  test('do not run out of waits after thousands of attempts, also where they are none', async () => {
    const { events } = await runCase({
      commands: flaky(2000),
      body: [node('0', 'FLAKY', {}, { retry: { max_attempts: 3000, backoff_base_s: 0 } })],
    });
    const waits = events.flatMap((event) => (event.kind === 'attempt-failed' ? [event.wait_ms] : []));
    expect([waits.length, ...new Set(waits)]).toEqual([2000, 0]);
  });

  test('only what `on` names is repeated, by class or by kind', async () => {
    const byKind = await runCase({
      commands: flaky(1),
      body: [node('0', 'FLAKY', {}, { retry: { on: ['timeout'] } })],
    });
    expect(byKind.of('a.yaml#0')).toMatchObject({ status: 'passed', attempts: 2 });
    const byClass = await runCase({
      commands: flaky(1),
      body: [node('0', 'FLAKY', {}, { retry: { on: ['transient'] } })],
    });
    expect(byClass.of('a.yaml#0').attempts).toBe(2);
    const other = await runCase({
      commands: flaky(1),
      body: [node('0', 'FLAKY', {}, { retry: { on: ['real', 'network'] } })],
    });
    expect(other.of('a.yaml#0')).toMatchObject({ status: 'failed', attempts: 1 });
  });

  test('a failed expectation is repeated too', async () => {
    const { of } = await runCase({
      commands: flaky(0),
      body: [
        node(
          '0',
          'FLAKY',
          {},
          { expect: [compares(variable('result'), '>=', 3)], retry: { max_attempts: 5, interval_s: 1 } },
        ),
      ],
    });
    expect(of('a.yaml#0')).toMatchObject({ status: 'passed', attempts: 3 });
  });

  test('a failed expectation over an answer of 500 and above is found as http_5xx too', async () => {
    const answers = (first: number): TestCommands => {
      let calls = 0;
      return { ANSWER: () => ({ status_code: calls++ === 0 ? first : 200 }) };
    };
    const body = [
      node(
        '0',
        'ANSWER',
        {},
        { expect: [compares(variable('result', 'status_code'), '==', 200)], retry: { on: ['http_5xx'] } },
      ),
    ];
    const server = await runCase({ commands: answers(503), body });
    expect(server.of('a.yaml#0')).toMatchObject({ status: 'passed', attempts: 2 });
    const client = await runCase({ commands: answers(404), body });
    expect(client.of('a.yaml#0')).toMatchObject({ status: 'failed', attempts: 1 });
  });

  test('--retries gives steps without a retry more attempts, except of commands that must not be repeated', async () => {
    const more = await runCase({ commands: flaky(2), options: { retries: 2 }, body: [node('0', 'FLAKY')] });
    expect(more.of('a.yaml#0')).toMatchObject({ status: 'passed', attempts: 3 });
    const commands: TestCommands = {
      ONCE: {
        repeat: 'once',
        does: () => {
          throw new Error('no');
        },
      },
    };
    const once = await runCase({
      commands,
      options: { retries: 2 },
      body: [node('0', 'ONCE'), node('1', 'ONCE', {}, { retry: { max_attempts: 2 } })],
    });
    expect(once.records.map((record) => record.attempts)).toEqual([1, 2]);
  });

  test('references are filled anew for each attempt', async () => {
    const seen: unknown[] = [];
    const commands: TestCommands = {
      SEE: ({ value }) => {
        seen.push(value);
        throw new Error('again');
      },
    };
    await runCase({
      commands,
      body: [node('0', 'SEE', { value: { ref: { ns: 'uuid', name: '' } } }, { retry: { max_attempts: 2 } })],
    });
    expect(new Set(seen).size).toBe(2);
  });
});

describe('timeout_s', () => {
  test('cancels the command through its signal', async () => {
    let reason: unknown;
    const commands: TestCommands = {
      WAIT: async (_, ctx) => {
        ctx.signal.addEventListener('abort', () => (reason = ctx.signal.reason));
        await ctx.clock.sleep(60_000, ctx.signal);
      },
    };
    const { of } = await runCase({ commands, body: [node('0', 'WAIT', {}, { timeout_s: 5 })] });
    expect(of('a.yaml#0')).toMatchObject({
      status: 'failed',
      duration_ms: 5000,
      error: { code: 'SVC80002', class: 'transient' },
    });
    expect(reason).toMatchObject({ message: 'The step did not end within 5 s.' });
  });

  test('a command that ignores its signal is left alone, and what it does later does not count', async () => {
    let late: unknown;
    const commands: TestCommands = {
      DEAF: async (_, ctx) => {
        await ctx.clock.sleep(20_000);
        try {
          ctx.variables.set('late', true);
        } catch (error) {
          late = error;
        }
        return 'done';
      },
    };
    const { records } = await runCase({
      commands,
      body: [
        node('0', 'DEAF', {}, { timeout_s: 5 }),
        node('1', 'SLEEP', { ms: 60_000 }),
        node('2', 'GET', { value: { ref: { ...variable('late'), default: 'unset' } } }),
      ],
    });
    expect(records[0]).toMatchObject({ status: 'failed', duration_ms: 7000, error: { code: 'SVC80002' } });
    expect(records[2]?.result).toBe('unset');
    expect(late).toMatchObject({ message: 'The step has ended already.' });
  });

  test('a success that comes after the limit, while cleaning up, is none', async () => {
    const commands: TestCommands = {
      SLOW: async (_, ctx) => {
        await ctx.clock.sleep(5500);
        return 'late';
      },
    };
    const { of } = await runCase({ commands, body: [node('0', 'SLOW', {}, { timeout_s: 5 })] });
    expect(of('a.yaml#0')).toMatchObject({ status: 'failed', duration_ms: 5500 });
    expect(of('a.yaml#0').result).toBeUndefined();
  });

  test('bounds one attempt; a late effect of the first does not count for the second', async () => {
    let calls = 0;
    const commands: TestCommands = {
      SECOND: async (_, ctx) => {
        const call = ++calls;
        await ctx.clock.sleep(call === 1 ? 8000 : 2000);
        ctx.variables.set('by', call);
        return call;
      },
    };
    const { of } = await runCase({
      commands,
      body: [
        node('0', 'SECOND', {}, { timeout_s: 5, retry: { interval_s: 1 } }),
        node('1', 'SLEEP', { ms: 9000 }),
        node('2', 'GET', { value: { ref: variable('by') } }),
      ],
    });
    expect(of('a.yaml#0')).toMatchObject({ status: 'passed', attempts: 2, result: 2 });
    expect(of('a.yaml#2').result).toBe(2);
  });

  test('meta.timeout_s bounds the body: the step at work fails, the rest is skipped, the teardown runs', async () => {
    const { lines, of, outcome } = await runCase({
      unit: {
        timeout_s: 10,
        body: [node('0', 'SLEEP', { ms: 4000 }), node('1', 'SLEEP', { ms: 60_000 }), node('2', 'GET', { value: 1 })],
        teardown: [node('t', 'GET', { value: 1 })],
      },
    });
    expect(lines).toEqual([
      'a.yaml#0 passed',
      'a.yaml#1 failed',
      'a.yaml#2 skipped: The body did not end within 10 s.',
      'a.yaml#t passed',
    ]);
    expect(of('a.yaml#1').error?.code).toBe('SVC80003');
    expect(outcome.files[0]).toMatchObject({ status: 'failed', reason: 'The body did not end within 10 s.' });
  });
});

describe('stop', () => {
  test('cancels the step at work, skips the rest with the reason, runs the teardown', async () => {
    const { outcome, lines, of } = await runCase({
      units: [
        {
          body: [node('0', 'SLEEP', { ms: 60_000 }, { retry: { max_attempts: 5 } }), node('1', 'GET', { value: 1 })],
          teardown: [node('t', 'SLEEP', { ms: 10 })],
        },
        { source: 'b.yaml', body: [node('b.yaml#0', 'GET', { value: 1 })] },
      ],
      meanwhile: async (run) => {
        await run.host.clock.advance(1000);
        run.stop('SIGINT');
      },
    });
    expect(lines).toEqual([
      'a.yaml#0 failed',
      'a.yaml#1 skipped: the run was stopped: SIGINT',
      'a.yaml#t passed',
      'b.yaml#0 skipped: the run was stopped: SIGINT',
    ]);
    expect(of('a.yaml#0')).toMatchObject({ attempts: 1, error: { code: 'SVC80026', class: 'environment' } });
    expect(outcome).toMatchObject({ status: 'failed', stopped: 'SIGINT' });
  });

  test('ends a wait between attempts', async () => {
    const { of, host } = await runCase({
      commands: flaky(9),
      body: [node('0', 'FLAKY', {}, { retry: { interval_s: 3600 } })],
      meanwhile: async (run) => {
        await run.host.clock.advance(1000);
        run.stop('SIGTERM');
      },
    });
    expect(of('a.yaml#0')).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'SVC80026' } });
    expect(host.clock.monotonic()).toBe(1000);
  });
});
