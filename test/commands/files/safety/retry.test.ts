import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import * as fail from '#schemas/generated/failures.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { fakeClock } from '#runtime/hosts/memory/clock.ts';
import { isNamed, isPassing, retryAfterMs } from '#runtime/kernel/passing.ts';
import { Backoff, type BackoffOptions } from '#stdlib/files/safety/retry/backoff.ts';
import { retryOnTransient } from '#stdlib/files/safety/retry/retry-on-transient.ts';

import { session } from '../../call.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-files-'));
});
afterEach(() => rm(root, { recursive: true }));

const network = fail.httpConnectionRefused({ method: 'GET', url: 'http://x', address: 'x:1' });
const random = (number: number): { number(): number; uuid(): string; bytes(): Uint8Array } => ({
  number: () => number,
  uuid: () => '',
  bytes: () => new Uint8Array(),
});
const backoff = (options: BackoffOptions, chance = 0): Backoff =>
  new Backoff(options, { clock: fakeClock(0), random: random(chance) });
const waits = (tries: Backoff, error: unknown): (number | undefined)[] =>
  Array.from({ length: 6 }, () => tries.wait(error));

describe('waits', () => {
  it('double up to the cap, and end with the tries', () => {
    expect(waits(backoff({ max_attempts: 5 }), network)).toEqual([500, 1000, 2000, 4000, undefined, undefined]);
    expect(waits(backoff({ max_attempts: 6, backoff_base: 3 }), network)).toEqual([
      3000,
      6000,
      8000,
      8000,
      8000,
      undefined,
    ]);
  });

  it('stay what they are through thousands of tries, also where they are none', () => {
    for (const [base, expected] of [
      [0, 0],
      [1, 8000],
    ] as const) {
      const tries = backoff({ max_attempts: 10_000, backoff_base: base });
      const all = new Set(Array.from({ length: 5000 }, () => tries.wait(network)).slice(3));
      expect([...all]).toEqual([expected]);
    }
  });

  it('are longer by up to a fifth', () => {
    expect(backoff({}, 0.999).wait(network)).toBeCloseTo(600, 0);
  });

  it('are as long as the answer asks, unless that is too long', () => {
    const later = (after: string, date = 'Wed, 21 Oct 2015 07:28:00 GMT'): Error =>
      fail.httpTryLater({
        method: 'GET',
        url: 'u',
        status: 429,
        reason: '',
        result: { status_code: 429, headers: { 'Retry-After': after, date } },
      });
    expect(backoff({}).wait(later('30'))).toBe(30_000);
    expect(backoff({}).wait(later('Wed, 21 Oct 2015 07:28:05 GMT'))).toBe(5000);
    expect(backoff({}).wait(later('0'))).toBe(500);
    expect(backoff({}).wait(later('soon'))).toBe(500);
    expect(backoff({}).wait(later('86400'))).toBeUndefined();
    expect(retryAfterMs(new Error('x'), 0)).toBeUndefined();
  });

  it('only follow failures that may pass', () => {
    const tries = backoff({});
    expect(tries.wait(fail.fileNotFound({ path: 'x' }))).toBeUndefined();
    expect(tries.exhausted).toBeUndefined();
  });
});

describe('what may pass', () => {
  const status = (code: number): Error =>
    (code >= 500 ? fail.httpServerError : fail.httpStatus)({
      method: 'GET',
      url: 'u',
      status: code,
      reason: '',
      result: { status_code: code },
    });
  const system = (code: string): Error => Object.assign(new Error(code), { code });

  it.each([408, 425, 429, 500, 502, 503, 504])('status %i does', (code) => expect(isPassing(status(code))).toBe(true));
  it.each([400, 401, 403, 404, 409, 501, 505])('status %i does not', (code) =>
    expect(isPassing(status(code))).toBe(false),
  );
  it.each(['ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', 'ETIMEDOUT', 'EBUSY', 'EAGAIN', 'EMFILE'])('%s does', (code) =>
    expect(isPassing(system(code))).toBe(true),
  );
  it.each(['ENOENT', 'EACCES', 'ENOSPC'])('%s does not', (code) => expect(isPassing(system(code))).toBe(false));

  it('is seen by class, kind and cause', () => {
    expect(isPassing(network)).toBe(true);
    expect(isPassing(fail.stepTimedOut({ seconds: 1 }))).toBe(true);
    expect(isPassing(fail.fileBusy({ path: 'x' }))).toBe(true);
    expect(isPassing(fail.copyFailed({ source: 'a', target: 'b', cause: system('EBUSY') }))).toBe(true);
    expect(isPassing(fail.matchTooSlow({ pattern: 'x', ms: 1 }))).toBe(false);
    expect(isPassing(new TypeError('x'))).toBe(false);
    expect(isPassing(undefined)).toBe(false);
  });

  it('is chosen by name, code, class, kind and the names of other languages', () => {
    const missing = fail.fileNotFound({ path: 'x' });
    for (const name of ['FileNotExistsException', 'SVC85000', 'real'])
      expect(isNamed(missing, ['other', name])).toBe(true);
    for (const name of ['network', 'environment', 'ConnectionError', 'OSError'])
      expect(isNamed(network, [name])).toBe(true);
    expect(isNamed(missing, ['OSError', 'TimeoutError', 'ConnectionError', 'toString'])).toBe(false);
    expect(isNamed(new RangeError('x'), ['RangeError'])).toBe(true);
    expect(isNamed(fail.nestedStepsFailed({ count: 1, cause: missing }), ['SVC85000'])).toBe(true);
  });
});

/** Gives a file its name a while after another has come. */
async function appear(from: string, to: string, after: string): Promise<void> {
  while (!existsSync(after)) await new Promise((resolve) => setTimeout(resolve, 5));
  setTimeout(() => void rename(from, to), 300);
}

describe('FA_with_retry', () => {
  it('repeats only the action that failed, and goes on behind it', async () => {
    await using unit = await session();
    const late = join(root, 'late');
    await unit.step('FA_file_checksum', { path: late, algorithm: 'md5' });
    await writeFile(join(root, 'coming'), 'x');
    void appear(join(root, 'coming'), late, join(root, 'before'));
    const then = [
      ['FA_create_file', { file_path: join(root, 'before') }],
      ['FA_file_checksum', { path: late, algorithm: 'md5' }],
      ['FA_create_file', { file_path: join(root, 'after') }],
    ];
    const value = await unit.call('FA_with_retry', {
      then,
      max_attempts: 500,
      backoff_base: 0.02,
      backoff_cap: 0.02,
      retriable: ['FileNotExistsException'],
    });
    expect(value).toMatchObject({
      results: { 'execute[1]: FA_file_checksum': { status: 'ok', value: '9dd4e461268c8034f5c8564e155c67a6' } },
    });
    expect(unit.records.slice(1).map(({ command, attempts }) => [command, attempts > 1])).toEqual([
      ['FA_create_file', false],
      ['FA_file_checksum', true],
      ['FA_create_file', false],
      ['FA_with_retry', false],
    ]);
    expect(unit.work.counts).toMatchObject({ passed: 4, failed: 1, flaky: 1 });
  });

  it('fails with the last failure as cause and the results, when tries are used up', async () => {
    await using unit = await session();
    const { status, failure } = await unit.step('FA_with_retry', {
      then: [
        ['FA_file_checksum', { path: join(root, 'none') }],
        ['FA_create_file', { file_path: join(root, 'a') }],
      ],
      backoff_base: 0,
      retriable: ['SVC85000'],
    });
    expect([status, failure?.facts.name, failure?.options.cause]).toMatchObject([
      'failed',
      'RetryExhaustedException',
      { facts: { name: 'FileNotExistsException' } },
    ]);
    expect(unit.records.map(({ attempts }) => attempts)).toEqual([3, 1, 1]);
    expect(unit.records.at(-1)?.result).toMatchObject({
      results: { 'execute[0]: FA_file_checksum': { status: 'error' }, 'execute[1]: FA_create_file': { status: 'ok' } },
    });
  });

  it('lets other failures through at once', async () => {
    await using unit = await session();
    const { failure } = await unit.step('FA_with_retry', {
      then: [['FA_file_checksum', { path: join(root, 'none') }]],
    });
    expect([failure?.facts.code, unit.records[0]?.attempts]).toEqual(['SVC80032', 1]);
  });

  it('runs the whole list again when asked', async () => {
    await using unit = await session();
    const then = [
      ['FA_create_file', { file_path: join(root, 'a') }],
      ['FA_file_checksum', { path: join(root, 'none') }],
    ];
    await unit.step('FA_with_retry', { then, whole_list: true, backoff_base: 0, retriable: ['SVC85000'] });
    expect(unit.records.map(({ command, occurrence = 0 }) => `${command} ${occurrence}`)).toEqual([
      'FA_create_file 0',
      'FA_create_file 1',
      'FA_create_file 2',
      'FA_file_checksum 0',
      'FA_with_retry 0',
    ]);
  });

  it.each([
    ['AT_test_api_method', (test_url: string) => ({ http_method: 'get', test_url })],
    ['FA_download_file', (url: string) => ({ url, target: join(root, 'file') })],
  ])('asks a server again as it wants to be asked: %s', async (command, params) => {
    const at: number[] = [];
    const server: Server = createServer((_, response) => {
      at.push(performance.now());
      response
        .writeHead(at.length === 1 ? 429 : at.length === 2 ? 503 : 200, at.length === 1 ? { 'retry-after': '1' } : {})
        .end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await using unit = await session({ settings: { gates: { private: true } } });
      await unit.call('FA_with_retry', {
        then: [[command, params(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)]],
        backoff_base: 0.01,
      });
    } finally {
      server.close();
    }
    expect(at.length).toBe(3);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });
});

describe('retry_on_transient', () => {
  const host = nodeHost();
  const work = (errors: readonly unknown[]): ((text: string) => string) => {
    const left = [...errors];
    return (text) => {
      if (left.length > 0) throw left.shift();
      return `${text}!`;
    };
  };

  it('wraps a function', async () => {
    expect(await retryOnTransient(host, { backoff_base: 0 })(work([network, network]))('done')).toBe('done!');
    await expect(
      retryOnTransient(host, { backoff_base: 0 })(work([network, network, network]))('x'),
    ).rejects.toMatchObject({ name: 'RetryExhaustedException', cause: network });
    const other = new TypeError('wrong');
    await expect(retryOnTransient(host)(work([other]))('x')).rejects.toBe(other);
    await expect(
      retryOnTransient(host, { retriable: ['TypeError'], backoff_base: 0, max_attempts: 1 })(work([other]))('x'),
    ).rejects.toMatchObject({ name: 'RetryExhaustedException' });
    expect(() => retryOnTransient(host, { max_attempts: 0 })).toThrow(RangeError);
  });
});
