import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  CancellationToken,
  CircuitBreaker,
  FileLock,
  ProgressRegistry,
  ProgressReporter,
  Quota,
  RateLimiter,
  retry_on_transient,
  SQLiteLock,
} from '#compiler/library/files.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-library-'));
});
afterEach(() => rm(root, { recursive: true }));

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const named = (name: string): Error => Object.assign(new Error(name), { name });

it('retry_on_transient tries again what may pass', async () => {
  let left = 2;
  const work = retry_on_transient({ backoff_base: 0.001 })((text: string) => {
    if (left-- > 0) throw Object.assign(new Error('x'), { code: 'ECONNRESET' });
    return text;
  });
  expect(await work('done')).toBe('done');
  const never = retry_on_transient({ max_attempts: 2, backoff_base: 0, retriable: ['Odd'] })(() =>
    Promise.reject(named('Odd')),
  );
  await expect(never()).rejects.toMatchObject({ name: 'RetryExhaustedException', cause: { name: 'Odd' } });
  await expect(retry_on_transient()(() => Promise.reject(named('Odd')))()).rejects.toMatchObject({ name: 'Odd' });
});

describe('Quota', () => {
  it('checks sizes; 0 or less is no limit', () => {
    expect(new Quota({ max_bytes: 5 }).check_size(5)).toBeNull();
    expect(new Quota({ max_bytes: -1 }).check_size(1e12)).toBeNull();
    expect(() => new Quota({ max_bytes: 5 }).check_size(6, { label: 'upload' })).toThrow(/^upload: 6 bytes/);
  });

  it('never says that a time is more than itself', async () => {
    const slow = new Quota({ max_seconds: 0.01 }).wraps('slow')(() => wait(500));
    const [, actual = '', limit = ''] =
      /: ([\d.]+) s is more than the limit of ([\d.]+) s/.exec(String(await slow().catch(String))) ?? [];
    expect(Number(actual)).toBeGreaterThan(Number(limit));
  });

  it('gives blocks a signal and a judgement at their end', async () => {
    const block = async (seconds: number): Promise<boolean> => {
      using budget = new Quota({ max_seconds: seconds }).time_budget();
      await wait(30);
      return budget.signal.aborted;
    };
    expect([await block(5), await block(0)]).toEqual([false, false]);
    await expect(block(0.01)).rejects.toMatchObject({ name: 'QuotaExceededException' });
  });

  it('wraps functions', async () => {
    const quota = new Quota({ max_bytes: 3, max_seconds: 0.4 });
    const wrap = quota.wraps('copy', { size_fn: (text: string) => text.length });
    expect(await wrap((text: string) => text)('abc')).toBe('abc');
    await expect(wrap(() => 'abcd')()).rejects.toMatchObject({ name: 'QuotaExceededException' });
    const begin = performance.now();
    await expect(wrap(() => wait(20_000))()).rejects.toMatchObject({ name: 'QuotaExceededException' });
    expect(performance.now() - begin).toBeLessThan(10_000);
    await expect(wrap(() => Promise.reject(named('Own')))()).rejects.toMatchObject({ name: 'Own' });
    expect(Object.isFrozen(quota)).toBe(true);
  });
});

it('CircuitBreaker learns from calls', async () => {
  const breaker = new CircuitBreaker({ failure_threshold: 2, recovery_timeout: 1 });
  const broken = breaker.wraps(() => Promise.reject(named('Broken')));
  for (let count = 0; count < 2; count += 1) await expect(broken()).rejects.toMatchObject({ name: 'Broken' });
  expect(breaker.state).toBe('open');
  await expect(breaker.call(() => 1)).rejects.toMatchObject({ name: 'CircuitOpenException' });
  await wait(1050);
  expect(breaker.state).toBe('half_open');
  expect([await breaker.call((a: number, b: number) => a + b, [1, 2]), breaker.state]).toEqual([3, 'closed']);
  breaker.reset();
  expect(() => new CircuitBreaker({ failure_threshold: 0 })).toThrow(RangeError);
  expect(() => new CircuitBreaker({ recovery_timeout: 0 })).toThrow(RangeError);
});

it('RateLimiter gives tokens at its rate', async () => {
  const limiter = new RateLimiter(4, { burst: 2 });
  expect([
    limiter.capacity,
    limiter.try_acquire({ tokens: 2 }),
    limiter.try_acquire(),
    limiter.try_acquire({ tokens: 9 }),
  ]).toEqual([2, true, false, false]);
  const begin = performance.now();
  await limiter.acquire({ tokens: 2 });
  expect(performance.now() - begin).toBeGreaterThanOrEqual(400);
  await expect(limiter.acquire({ timeout: 0, tokens: 2 })).rejects.toMatchObject({
    name: 'RateLimitExceededException',
  });
  expect(await limiter.wraps((text: string) => text)('x')).toBe('x');
  for (const make of [
    () => new RateLimiter(0),
    () => new RateLimiter(1, { burst: -1 }),
    () => limiter.try_acquire({ tokens: 0 }),
  ])
    expect(make).toThrow(RangeError);
});

describe('locks', () => {
  it.each([
    ['FileLock', (options: { timeout?: number }) => new FileLock(join(root, 'lock'), options)],
    ['SQLiteLock', (options: { timeout?: number }) => new SQLiteLock(join(root, 'locks.db'), 'job', options)],
  ])('%s excludes others and itself, and is given back', async (kind, make) => {
    const one = make({});
    const other = make({ timeout: 0 });
    await one.release();
    expect([await one.acquire(), one.is_held, other.is_held]).toEqual([null, true, false]);
    await expect(other.acquire()).rejects.toMatchObject({ name: 'LockTimeoutException' });
    await expect(one.acquire()).rejects.toMatchObject({ name: 'LockTimeoutException' });
    await one.release();
    expect([await other.use(() => other.is_held), other.is_held]).toEqual([true, false]);
    {
      await using scoped = make({});
      await scoped.acquire();
    }
    await other.acquire();
    await other.release();
    expect((await readdir(root)).filter((name) => !name.startsWith('locks.db'))).toEqual(
      kind === 'FileLock' ? ['lock'] : [],
    );
  });

  it('SQLiteLock keeps its owner, renews itself, and tells when it was lost', async () => {
    const lock = new SQLiteLock(join(root, 'locks.db'), 'job', { ttl: 0.6 });
    expect(lock.owner).toMatch(/^[0-9a-f]{32}$/);
    await lock.acquire();
    await wait(900);
    await lock.refresh();
    expect([lock.is_held, lock.signal?.aborted]).toEqual([true, false]);
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(root, 'locks.db'));
    expect(database.prepare('SELECT owner FROM svc_locks').all()).toEqual([{ owner: lock.owner }]);
    database.exec("UPDATE svc_locks SET owner = 'other'");
    database.close();
    await expect(lock.refresh()).rejects.toMatchObject({ facts: { code: 'SVC87007' } });
    expect(lock.is_held).toBe(false);
    await expect(lock.release()).rejects.toMatchObject({ facts: { code: 'SVC87007' } });
    await expect(lock.refresh()).rejects.toMatchObject({ facts: { code: 'SVC87007' } });
    expect(() => new SQLiteLock('x', 'y', { ttl: 0 })).toThrow(RangeError);
  });
});

it('progress is kept by name and cancelled by token', () => {
  const registry = new ProgressRegistry();
  const [reporter, token] = registry.create('big', { total: 10 });
  reporter.update(4);
  expect([
    reporter instanceof Object,
    registry.list()[0]?.transferred,
    registry.cancel('big'),
    token.is_cancelled,
  ]).toEqual([true, 4, true, true]);
  expect(() => token.raise_if_cancelled()).toThrow(expect.objectContaining({ name: 'CancelledException' }) as Error);
  expect(new CancellationToken().is_cancelled).toBe(false);
  const own = new ProgressReporter('own');
  own.finish('aborted');
  expect([own.is_finished, own.snapshot()]).toMatchObject([true, { name: 'own', status: 'aborted', total: null }]);
});
