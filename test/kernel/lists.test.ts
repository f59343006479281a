import { describe, expect, test } from 'vitest';

import { Failure } from '#schemas/types/failure.ts';

import { compares, node, runCase, variable, type TestContext } from './harness.ts';

describe('a list', () => {
  test('runs its steps in order, each with a record', async () => {
    const { outcome, records, lines } = await runCase({
      body: [node('0', 'SET', { name: 'x', value: 1 }), node('1', 'GET', { value: { ref: variable('x') } })],
    });
    expect(lines).toEqual(['a.yaml#0 passed', 'a.yaml#1 passed']);
    expect(records[1]).toMatchObject({
      v: 1,
      run: 'r1',
      plan: 'h',
      command: 'GET',
      file: 'a.yaml',
      attempts: 1,
      result: 1,
      started_at: '2026-01-02T03:04:05.000Z',
    });
    expect(outcome).toMatchObject({ status: 'passed', counts: { passed: 2, failed: 0 } });
  });

  test('goes on after a failure under `continue`', async () => {
    const { outcome, lines } = await runCase({ body: [node('0', 'FAIL'), node('1', 'GET', { value: 1 })] });
    expect(lines).toEqual(['a.yaml#0 failed', 'a.yaml#1 passed']);
    expect(outcome.status).toBe('failed');
  });

  test('skips the rest under `stop`, with the reason', async () => {
    const unit = { order: { kind: 'list', on_failure: 'stop' } as const };
    const { lines } = await runCase({ unit, body: [node('0', 'FAIL'), node('1', 'GET', { value: 1 })] });
    expect(lines).toEqual(['a.yaml#0 failed', 'a.yaml#1 skipped: "a.yaml#0" failed, and a failure ends this body']);
  });

  test('a step option decides over its list', async () => {
    const stop = await runCase({
      body: [node('0', 'FAIL', {}, { on_failure: 'stop' }), node('1', 'GET', { value: 1 })],
    });
    expect(stop.lines[1]).toContain('skipped');
    const unit = { order: { kind: 'list', on_failure: 'stop' } as const };
    const goOn = await runCase({
      unit,
      body: [node('0', 'FAIL', {}, { on_failure: 'continue' }), node('1', 'GET', { value: 1 })],
    });
    expect(goOn.lines[1]).toBe('a.yaml#1 passed');
  });

  test('a step whose `when` does not hold is skipped, and so is what needs its value', async () => {
    const { lines } = await runCase({
      body: [
        node('0', 'SET', { name: 'mode', value: 'slow' }),
        node(
          'token',
          'SET',
          { name: 'token', value: 't' },
          { when: compares(variable('mode'), '==', 'fast'), provides: ['variable:token'] },
        ),
        node('use', 'GET', { value: { ref: variable('token') } }, { uses: ['variable:token'] }),
      ],
    });
    expect(lines.slice(1)).toEqual([
      'a.yaml#token skipped: its condition does not hold: mode == "fast"',
      'a.yaml#use skipped: it needs the variable "token", which "a.yaml#token" did not make because it was skipped',
    ]);
  });

  test('what was made before still counts when a later maker is skipped by `when`, not when it failed', async () => {
    const made = node('first', 'SET', { name: 'token', value: 'old' }, { provides: ['variable:token'] });
    const use = node('use', 'GET', { value: { ref: variable('token') } }, { uses: ['variable:token'] });
    const skipped = await runCase({
      body: [
        made,
        node(
          'later',
          'SET',
          { name: 'token', value: 'new' },
          { when: compares(variable('token'), '==', 'x'), provides: ['variable:token'] },
        ),
        use,
      ],
    });
    expect(skipped.of('a.yaml#use').result).toBe('old');
    const failed = await runCase({ body: [made, node('later', 'FAIL', {}, { provides: ['variable:token'] }), use] });
    expect(failed.of('a.yaml#use').reason).toBe(
      'it needs the variable "token", which "a.yaml#later" did not make because it failed',
    );
    const facts = { code: 'SVC83080', name: 'x', message: 'it is there', class: 'real', kinds: [] } as const;
    const refused = await runCase({
      commands: { REFUSE: () => Promise.reject(new Failure(facts, { kept: true })) },
      body: [made, node('later', 'REFUSE', {}, { provides: ['variable:token'] }), use],
    });
    expect(refused.of('a.yaml#use').result).toBe('old');
  });

  test('the last response is there also after a failed request', async () => {
    const commands = {
      ASK: (_: unknown, ctx: TestContext) => {
        ctx.variables.set('last_response', { status_code: 500 }, { reserved: true });
        throw new Error('500');
      },
    };
    const ask = node('ask', 'ASK', {}, { provides: ['variable:last_response'] });
    const use = node(
      'use',
      'GET',
      { value: { ref: variable('last_response', 'status_code') } },
      { uses: ['variable:last_response'] },
    );
    expect((await runCase({ commands, body: [ask, use] })).of('a.yaml#use').result).toBe(500);
    expect(
      (
        await runCase({
          commands: {
            ASK: () => {
              throw new Error('no answer');
            },
          },
          body: [ask, use],
        })
      ).of('a.yaml#use').status,
    ).toBe('skipped');
  });

  test('a step waits for no failed or skipped step that it depends on', async () => {
    const { lines } = await runCase({
      body: [
        node('a', 'FAIL'),
        node('b', 'GET', { value: 1 }, { after: ['a.yaml#a'] }),
        node('c', 'GET', { value: 1 }, { after: ['a.yaml#b'] }),
        node('d', 'GET', { value: 1 }),
      ],
    });
    expect(lines).toEqual([
      'a.yaml#a failed',
      'a.yaml#b skipped: "a.yaml#a" failed, on which it depends',
      'a.yaml#c skipped: "a.yaml#b" was skipped, on which it depends',
      'a.yaml#d passed',
    ]);
  });

  test('--fail-fast ends the run at the first failure, but not its teardown', async () => {
    const { lines } = await runCase({
      units: [
        {
          body: [node('0', 'FAIL'), node('1', 'GET', { value: 1 })],
          teardown: [node('teardown.0', 'GET', { value: 1 })],
        },
        { source: 'b.yaml', body: [node('b.yaml#0', 'GET', { value: 1 })] },
      ],
      options: { failFast: true },
    });
    expect(lines).toEqual([
      'a.yaml#0 failed',
      'a.yaml#1 skipped: another step failed, and the run ends at the first failure',
      'a.yaml#teardown.0 passed',
      'b.yaml#0 skipped: another step failed, and the run ends at the first failure',
    ]);
  });
});

describe('setup and teardown', () => {
  test('a failed setup ends itself, skips the body, and the teardown runs', async () => {
    const { lines } = await runCase({
      unit: {
        setup: [node('setup.0', 'FAIL'), node('setup.1', 'GET', { value: 1 })],
        body: [node('0', 'GET', { value: 1 })],
        teardown: [node('teardown.0', 'FAIL'), node('teardown.1', 'GET', { value: 1 })],
      },
    });
    expect(lines).toEqual([
      'a.yaml#setup.0 failed',
      'a.yaml#setup.1 skipped: "a.yaml#setup.0" failed, and a failure ends this body',
      'a.yaml#0 skipped: the setup failed at "a.yaml#setup.0"',
      'a.yaml#teardown.0 failed',
      'a.yaml#teardown.1 passed',
    ]);
  });

  test('a failing teardown fails the unit', async () => {
    const { outcome } = await runCase({ unit: { teardown: [node('teardown.0', 'FAIL')] } });
    expect(outcome).toMatchObject({ status: 'failed', counts: { failed: 1 } });
  });

  test('a teardown has 60 s of its own', async () => {
    const { of, host } = await runCase({
      unit: { teardown: [node('t', 'SLEEP', { ms: 3_600_000 }), node('after', 'GET', { value: 1 })] },
    });
    expect(of('a.yaml#t')).toMatchObject({ status: 'failed', duration_ms: 60_000, error: { code: 'SVC80004' } });
    expect(of('a.yaml#after')).toMatchObject({ status: 'skipped', reason: 'The teardown did not end within 60 s.' });
    expect(host.clock.monotonic()).toBe(60_000);
  });
});

describe('failures', () => {
  test('what a command throws becomes a real failure with its cause', async () => {
    const { of } = await runCase({ body: [node('0', 'FAIL', { text: 'kaput' })] });
    expect(of('a.yaml#0').error).toEqual({
      name: 'command-broke',
      message: 'FAIL broke: kaput',
      class: 'real',
      code: 'SVC80001',
      cause: { name: 'Error', message: 'kaput', class: 'real' },
    });
  });

  test('cause chains are bounded', async () => {
    const loop = new Error('round and round');
    loop.cause = loop;
    const { of } = await runCase({
      commands: {
        LOOP: () => {
          throw loop;
        },
      },
      body: [node('0', 'LOOP')],
    });
    expect(JSON.stringify(of('a.yaml#0').error).match(/round and round/g)?.length).toBeLessThan(12);
  });

  test('a command that is not linked fails its step only', async () => {
    const { of, lines } = await runCase({ body: [node('0', 'NOWHERE'), node('1', 'GET', { value: 1 })] });
    expect(of('a.yaml#0').error?.code).toBe('SVC80034');
    expect(lines[1]).toBe('a.yaml#1 passed');
  });

  test('a verdict shows the parts of the result that its declaration names', async () => {
    const verdict = { path: 'ok', fails_when: 'false', message: 'x', shows: ['missing'] } as const;
    const { of } = await runCase({
      commands: { CHECK: { verdict, does: () => ({ ok: false, matched: ['a'], missing: ['b'] }) } },
      body: [node('0', 'CHECK')],
    });
    expect(of('a.yaml#0').error?.actual).toEqual({ missing: ['b'] });
  });

  test('a verdict fails the step unless it has an expectation', async () => {
    const commands = {
      CHECK: { verdict: { path: 'ok', fails_when: 'false', message: 'x' } as const, does: () => ({ ok: false }) },
    };
    const { of } = await runCase({
      commands,
      body: [node('0', 'CHECK'), node('1', 'CHECK', {}, { expect: [compares(variable('result', 'ok'), '==', false)] })],
    });
    expect(of('a.yaml#0')).toMatchObject({ status: 'failed', result: { ok: false }, error: { code: 'SVC80023' } });
    expect(of('a.yaml#1').status).toBe('passed');
  });
});
