import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fakeClock } from '#runtime/hosts/memory/clock.ts';
import { CircuitBreaker, type BreakerSettings } from '#runtime/services/limiters/circuit-breaker.ts';

import { failureOf, session, type Session } from '../../call.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-files-'));
});
afterEach(() => rm(root, { recursive: true }));

describe('the table of states', () => {
  const make = (
    given: Partial<BreakerSettings> = {},
  ): { clock: ReturnType<typeof fakeClock>; breaker: CircuitBreaker; failed(): void } => {
    const clock = fakeClock(1_700_000_000_000);
    const breaker = new CircuitBreaker(clock, {
      name: 'b',
      failure_threshold: 2,
      recovery_timeout: 30,
      retriable: null,
      ...given,
    });
    return { clock, breaker, failed: () => breaker.enter().failed(new Error('x')) };
  };
  const code = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return (error as { facts: { name: string } }).facts.name;
    }
    return 'passed';
  };

  it('closed: opens at the threshold; a success sets the count to 0', () => {
    const { breaker, failed } = make();
    failed();
    breaker.enter().succeeded();
    failed();
    expect(breaker.state).toBe('closed');
    failed();
    expect(breaker.state).toBe('open');
  });

  it('open: refuses until its time is over, then is half open', async () => {
    const { breaker, failed, clock } = make({ failure_threshold: 1 });
    failed();
    expect(code(() => breaker.enter())).toBe('CircuitOpenException');
    await clock.advance(29_999);
    expect([breaker.state, code(() => breaker.enter())]).toEqual(['open', 'CircuitOpenException']);
    await clock.advance(1);
    expect(breaker.state).toBe('half_open');
  });

  it('half open: one trial at a time decides', async () => {
    const { breaker, failed, clock } = make({ failure_threshold: 3 });
    for (let count = 0; count < 3; count += 1) failed();
    await clock.advance(30_000);
    const trial = breaker.enter();
    expect(code(() => breaker.enter())).toBe('CircuitOpenException');
    trial.failed(new Error('x'));
    expect(breaker.state).toBe('open');
    await clock.advance(29_999);
    expect(breaker.state).toBe('open');
    await clock.advance(1);
    breaker.enter().succeeded();
    expect(breaker.state).toBe('closed');
    failed();
    failed();
    expect(breaker.state).toBe('closed');
  });

  it('a trial that was cancelled, or whose failure does not count, leaves room for the next', async () => {
    const { breaker, clock } = make({ failure_threshold: 1, retriable: ['RangeError'] });
    breaker.enter().failed(new TypeError('x'));
    expect(breaker.state).toBe('closed');
    breaker.enter().failed(new TypeError('x'), new RangeError('x'));
    expect(breaker.state).toBe('open');
    await clock.advance(30_000);
    breaker.enter().abandoned();
    breaker.enter().failed(new TypeError('x'));
    expect(breaker.state).toBe('half_open');
    breaker.enter().succeeded();
    expect(breaker.state).toBe('closed');
  });

  it('what began before a change of state says nothing about the time after it', () => {
    const { breaker, failed } = make();
    const early = breaker.enter();
    const other = breaker.enter();
    failed();
    failed();
    early.succeeded();
    expect(breaker.state).toBe('open');
    breaker.reset();
    other.failed(new Error('x'));
    failed();
    expect(breaker.state).toBe('closed');
  });
});

describe('the commands', () => {
  const guarded = (unit: Session, path: string, settings = {}): ReturnType<Session['step']> =>
    unit.step('FA_with_circuit_breaker', {
      name: 'b',
      then: [['FA_file_checksum', { path: join(root, path) }]],
      failure_threshold: 2,
      recovery_timeout: 1,
      ...settings,
    });
  const stateOf = (unit: Session): Promise<unknown> => unit.call('FA_circuit_breaker_state', { name: 'b' });

  it('open, refuse, try once more, close', async () => {
    await using unit = await session();
    await writeFile(join(root, 'there'), 'x');
    expect(await stateOf(unit)).toBe('closed');
    await guarded(unit, 'none');
    expect((await guarded(unit, 'none')).failure?.facts.code).toBe('SVC80032');
    expect(await stateOf(unit)).toBe('open');
    const before = unit.records.length;
    expect((await guarded(unit, 'there')).failure?.facts.name).toBe('CircuitOpenException');
    expect(unit.records.length).toBe(before + 1);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expect(await stateOf(unit)).toBe('half_open');
    expect((await guarded(unit, 'there')).status).toBe('passed');
    expect(await stateOf(unit)).toBe('closed');
  });

  it('are closed by hand', async () => {
    await using unit = await session();
    await guarded(unit, 'none', { failure_threshold: 1, recovery_timeout: 60 });
    expect(await stateOf(unit)).toBe('open');
    await unit.call('FA_circuit_breaker_reset', { name: 'b' });
    expect(await stateOf(unit)).toBe('closed');
  });

  it('count only what is named, also from a list inside', async () => {
    await using unit = await session();
    const settings = { failure_threshold: 1, recovery_timeout: 60, retriable: ['SVC85000'] };
    await unit.step('FA_with_circuit_breaker', {
      name: 'b',
      then: [['FA_quota_check_size', { max_bytes: 1, nbytes: 2 }]],
      ...settings,
    });
    expect(await stateOf(unit)).toBe('closed');
    await unit.step('FA_with_circuit_breaker', {
      name: 'b',
      then: [['FA_if_exists', { path: root, then: [['FA_file_checksum', { path: join(root, 'none') }]] }]],
      ...settings,
    });
    expect(await stateOf(unit)).toBe('open');
  });

  it('refuse other settings for a name in use, and tell both', async () => {
    await using unit = await session();
    await guarded(unit, 'none');
    const failure = await failureOf(
      unit.call('FA_with_circuit_breaker', {
        name: 'b',
        then: [['FA_create_file', { file_path: join(root, 'a') }]],
        failure_threshold: 3,
      }),
    );
    expect(failure.facts).toMatchObject({
      code: 'SVC87002',
      message: expect.stringContaining('"failure_threshold":3') as unknown,
    });
    expect(await readdir(root)).toEqual([]);
  });
});
