import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fakeClock } from '#runtime/hosts/memory/clock.ts';
import { TokenBucket } from '#runtime/services/limiters/token-bucket.ts';

import { failureOf, session } from '../../call.ts';

describe('a bucket', () => {
  const make = (
    rate: number,
    burst: number | null = null,
  ): { clock: ReturnType<typeof fakeClock>; bucket: TokenBucket } => {
    const clock = fakeClock(1_700_000_000_000);
    return { clock, bucket: new TokenBucket(clock, { name: 'b', rate, burst }) };
  };

  it('is full at the start, fills steadily and never above its size', async () => {
    const { clock, bucket } = make(2, 4);
    expect([bucket.tryTake(4), bucket.tryTake(0.1)]).toEqual([true, false]);
    await clock.advance(250);
    expect([bucket.tryTake(0.5), bucket.tryTake(0.5)]).toEqual([true, false]);
    await clock.advance(60_000);
    expect([bucket.tryTake(5), bucket.tryTake(4), bucket.tryTake(0.5)]).toEqual([false, true, false]);
  });

  it('has room for the rate, and for one token at slow rates', () => {
    expect([make(5).bucket.capacity, make(0.1).bucket.capacity, make(0.1, 0.5).bucket.capacity]).toEqual([5, 1, 0.5]);
  });

  it('makes those wait who come too early, in order: a small wish does not overtake a big one', async () => {
    const { clock, bucket } = make(1, 3);
    const order: string[] = [];
    const take = async (name: string, tokens: number): Promise<void> => {
      await bucket.take({ tokens });
      order.push(`${name} ${clock.monotonic()}`);
    };
    await clock.run(Promise.all([take('a', 3), take('b', 3), take('c', 1), take('d', 0.5)]));
    expect(order).toEqual(['a 0', 'b 3000', 'c 4000', 'd 4500']);
    expect(bucket.tryTake(0.1)).toBe(false);
  });

  it('keeps its rate over many takers', async () => {
    const { clock, bucket } = make(50, 5);
    await clock.run(Promise.all(Array.from({ length: 505 }, () => bucket.take())));
    expect(clock.monotonic()).toBeGreaterThanOrEqual(10_000);
    expect(clock.monotonic()).toBeLessThan(10_100);
  });

  it('fails at once where time cannot suffice, later where others are in the way, and takes nothing then', async () => {
    const { clock, bucket } = make(1);
    await bucket.take();
    await expect(bucket.take({ timeout: 0 })).rejects.toMatchObject({ name: 'RateLimitExceededException' });
    await expect(bucket.take({ timeout: 0.9 })).rejects.toMatchObject({ name: 'RateLimitExceededException' });
    expect(clock.monotonic()).toBe(0);
    const first = bucket.take();
    const second = bucket.take({ timeout: 1.5 }).catch((error: Error) => `${error.name} ${clock.monotonic()}`);
    const third = bucket.take();
    expect(await clock.run(Promise.all([first, second, third]))).toEqual([
      undefined,
      'RateLimitExceededException 1500',
      undefined,
    ]);
    expect(clock.monotonic()).toBe(2000);
  });

  it('lets go of those who were cancelled, also the first in the row', async () => {
    const { clock, bucket } = make(1, 10);
    await bucket.take({ tokens: 10 });
    const stop = new AbortController();
    const first = bucket.take({ tokens: 10, signal: stop.signal }).catch((error: unknown) => error);
    const second = bucket.take({ tokens: 1 });
    stop.abort('enough');
    await clock.run(second);
    expect([await first, clock.monotonic(), clock.waiting.length]).toEqual(['enough', 1000, 0]);
    await expect(bucket.take({ signal: stop.signal })).rejects.toBe('enough');
    await expect(bucket.take({ tokens: 11 })).rejects.toMatchObject({ facts: { code: 'SVC87003' } });
  });
});

describe('the commands', () => {
  it('share a bucket by name and hold back what comes too early', async () => {
    const root = await mkdtemp(join(tmpdir(), 'svc-files-'));
    await using unit = await session();
    const begin = performance.now();
    await unit.call('FA_rate_limit_acquire', { name: 'b', rate: 5, burst: 2, tokens: 2 });
    await unit.call('FA_with_rate_limit', {
      name: 'b',
      rate: 5,
      burst: 2,
      tokens: 2,
      then: [['FA_create_file', { file_path: join(root, 'a') }]],
    });
    expect(performance.now() - begin).toBeGreaterThanOrEqual(399);
    expect(await readdir(root)).toEqual(['a']);
    const failure = await failureOf(
      unit.call('FA_with_rate_limit', {
        name: 'b',
        rate: 5,
        burst: 2,
        timeout: 0,
        tokens: 2,
        then: [['FA_create_file', { file_path: join(root, 'b') }]],
      }),
    );
    expect(failure.facts.name).toBe('RateLimitExceededException');
    expect((await failureOf(unit.call('FA_rate_limit_acquire', { name: 'b', rate: 6, burst: 2 }))).facts.code).toBe(
      'SVC87002',
    );
    expect(await readdir(root)).toEqual(['a']);
    await rm(root, { recursive: true });
  });

  it('stop waiting at the time limit of their step', async () => {
    await using unit = await session();
    await unit.call('FA_rate_limit_acquire', { name: 'b', rate: 0.01 });
    const begin = performance.now();
    const { failure } = await unit.step('FA_rate_limit_acquire', { name: 'b', rate: 0.01 }, { timeout_s: 0.05 });
    expect([failure?.facts.code, performance.now() - begin < 9000]).toEqual(['SVC80002', true]);
  });
});
