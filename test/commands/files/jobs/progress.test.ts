import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { fakeClock } from '#runtime/hosts/memory/clock.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { CancellationToken } from '#runtime/services/progress/cancellation-token.ts';
import { ProgressRegistry } from '#runtime/services/progress/progress-registry.ts';
import { ProgressReporter } from '#runtime/services/progress/progress-reporter.ts';
import { openProgress } from '#runtime/services/progress/open-progress.ts';
import type { ProgressSnapshot } from '#runtime/services/progress/snapshot.ts';
import type { Files } from '#schemas/types/host.ts';

import { failureOf, session, type Session } from '../../call.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-files-'));
});
afterEach(() => rm(root, { recursive: true }));

const start = Date.UTC(2024, 4, 1);

describe('the classes', () => {
  it('a reporter counts, ends once, and tells dates that follow the monotonic clock', async () => {
    const clock = fakeClock(start);
    let shift = 0;
    const reporter = new ProgressReporter({ ...clock, now: () => clock.now() + shift }, 'big', { total: 100 });
    reporter.update(40);
    reporter.update(0);
    reporter.update(-5);
    await clock.advance(2000);
    expect(reporter.snapshot()).toEqual({
      name: 'big',
      total: 100,
      transferred: 40,
      status: 'running',
      started_at: 0,
      finished_at: null,
      started: '2024-05-01T00:00:00.000Z',
      finished: null,
      rate: 20,
    });
    shift = -3_600_000;
    reporter.finish();
    reporter.finish('error');
    reporter.update(1);
    await clock.advance(1000);
    expect([reporter.is_finished, reporter.snapshot()]).toMatchObject([
      true,
      { status: 'done', transferred: 40, finished_at: 2, finished: '2024-05-01T00:00:02.000Z', rate: 20 },
    ]);
  });

  it('a token is a flag and a signal', () => {
    const token = new CancellationToken('big');
    token.raise_if_cancelled();
    expect(token.is_cancelled).toBe(false);
    token.cancel();
    token.cancel();
    expect([token.is_cancelled, token.signal.aborted]).toEqual([true, true]);
    expect(() => token.raise_if_cancelled()).toThrow(expect.objectContaining({ name: 'CancelledException' }) as Error);
  });

  it('a registry keeps transfers by name', () => {
    const registry = new ProgressRegistry(fakeClock(start));
    const [first, token] = registry.create('a', { total: 5 });
    registry.create('b');
    expect(registry.lookup('a')).toEqual([first, token]);
    expect(() => registry.create('a')).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ code: 'SVC87012' }) as unknown }) as Error,
    );
    expect([registry.cancel('a'), token.is_cancelled, registry.cancel('none')]).toEqual([true, true, false]);
    first.finish('cancelled');
    expect(registry.cancel('a')).toBe(false);
    registry.create('a');
    expect(registry.list().map(({ name, status }) => `${name} ${status}`)).toEqual(['b running', 'a running']);
    expect([registry.forget('b'), registry.forget('b'), registry.clear_finished()]).toEqual([true, false, 0]);
    registry.lookup('a')?.[0].finish();
    expect([registry.clear_finished(), registry.list()]).toEqual([1, []]);
  });

  it('a registry forgets the oldest that have ended', () => {
    const registry = new ProgressRegistry(fakeClock(start));
    registry.create('still');
    for (let count = 0; count < 1200; count += 1) registry.create(`t${count}`)[0].finish();
    expect([registry.list().length, registry.list()[0]?.name, registry.list().at(-1)?.name]).toEqual([
      1000,
      'still',
      't1199',
    ]);
  });
});

describe('watching', () => {
  const watch = (
    name: string | null,
    work: Parameters<ReturnType<typeof openProgress>['watch']>[1],
  ): { progress: ReturnType<typeof openProgress>; done: Promise<unknown> } => {
    const progress = openProgress(fakeClock(start));
    return {
      progress,
      done: progress.watch({ name, signal: new AbortController().signal }, work).catch((error: unknown) => error),
    };
  };

  it('ends as the work does', async () => {
    for (const [status, work] of [
      ['done', async () => 1],
      ['error', async () => Promise.reject(new Error('x'))],
    ] as const) {
      const { progress, done } = watch('a', work);
      await done;
      expect(progress.list()[0]?.status).toBe(status);
    }
    const { progress, done } = watch('a', async ({ failsAs, update, expect: total }) => {
      total(9);
      update(7);
      failsAs('checksum_failed');
      throw new Error('x');
    });
    await done;
    expect(progress.list()).toMatchObject([{ status: 'checksum_failed', transferred: 7, total: 9 }]);
    expect(watch(null, async () => 1).progress.list()).toEqual([]);
  });

  it('cancelling aborts the signal and is what is told, whatever the work throws then', async () => {
    const { progress, done } = watch(
      'a',
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('broke')))),
    );
    expect([progress.cancel('a'), await done, progress.list()[0]?.status]).toMatchObject([
      true,
      { facts: { code: 'SVC87009', name: 'CancelledException' } },
      'cancelled',
    ]);
  });
});

describe('the commands', () => {
  const list = (unit: Session): Promise<readonly ProgressSnapshot[]> =>
    unit.call('FA_progress_list') as Promise<readonly ProgressSnapshot[]>;
  const size = 40 * 1024 * 1024;

  beforeEach(async () => {
    await writeFile(join(root, 'big'), '');
    await truncate(join(root, 'big'), size);
    await writeFile(join(root, 'there'), 'old');
  });

  it('show what copying, hashing and packing have done, until it is cleared', async () => {
    await using unit = await session();
    await unit.call('FA_copy_file', { source: join(root, 'big'), target: join(root, 'copy'), progress_name: 'copy' });
    const plain = await unit.call('FA_file_checksum', { path: join(root, 'big') });
    expect(await unit.call('FA_file_checksum', { path: join(root, 'big'), progress_name: 'sum' })).toBe(plain);
    await unit.call('FA_zip_file', {
      zip_file_path: join(root, 'a.zip'),
      file: [join(root, 'big'), join(root, 'there')],
      progress_name: 'zip',
    });
    await unit.step('FA_verify_checksum', {
      path: join(root, 'there'),
      algorithm: 'md5',
      expected: '0'.repeat(32),
      progress_name: 'verify',
    });
    expect(
      (await list(unit)).map(({ name, status, total, transferred }) => [name, status, total, transferred]),
    ).toEqual([
      ['copy', 'done', size, size],
      ['sum', 'done', size, size],
      ['zip', 'done', size + 3, size + 3],
      ['verify', 'done', 3, 3],
    ]);
    expect([await unit.call('FA_progress_clear'), await list(unit)]).toEqual([4, []]);
  });

  it('show what synchronizing, packing with tar and encrypting have done', async () => {
    await using unit = await session();
    const key = Buffer.alloc(32).toString('base64');
    await mkdir(join(root, 'tree/sub'), { recursive: true });
    for (const name of ['a', 'sub/b']) await writeFile(join(root, 'tree', name), name);
    await rename(join(root, 'big'), join(root, 'tree/big'));
    for (const name of ['first', 'nothing new'])
      await unit.call('FA_sync_dir', { src: join(root, 'tree'), dst: join(root, 'mirror'), progress_name: name });
    await unit.call('FA_sync_dir', {
      src: join(root, 'tree'),
      dst: join(root, 'mirror'),
      dry_run: true,
      progress_name: 'preview',
    });
    for (const compression of ['none', 'gz'])
      await unit.call('FA_create_tar', {
        source: join(root, 'tree'),
        target: join(root, `${compression}.tar`),
        compression,
        progress_name: compression,
      });
    await unit.call('FA_extract_tar', {
      source: join(root, 'none.tar'),
      target_dir: join(root, 'unpacked'),
      progress_name: 'unpack',
    });
    const packed = (await stat(join(root, 'none.tar'))).size;
    await unit.call('FA_encrypt_file', {
      source: join(root, 'tree/big'),
      target: join(root, 'sealed'),
      key,
      associated_data: 'djE=',
      progress_name: 'encrypt',
    });
    await unit.call('FA_decrypt_file', {
      source: join(root, 'sealed'),
      target: join(root, 'opened'),
      key,
      progress_name: 'decrypt',
    });
    expect(
      (await list(unit)).map(({ name, status, total, transferred }) => [name, status, total, transferred]),
    ).toEqual([
      ['first', 'done', size + 6, size + 6],
      ['nothing new', 'done', 0, 0],
      ['none', 'done', size + 6, size + 6],
      ['gz', 'done', size + 6, size + 6],
      ['unpack', 'done', packed, packed],
      ['encrypt', 'done', size, size],
      ['decrypt', 'done', size, size],
    ]);
  });

  it('stop a synchronization, which keeps what it has copied', async () => {
    const { files, ...host } = nodeHost();
    const copyMany: Files['copyMany'] = async (copies, options) => {
      const outcomes = await files.copyMany(copies.slice(0, 1), options);
      expect(await unit.call('FA_progress_cancel', { name: 'sync' })).toBe(true);
      return [...outcomes, ...(await files.copyMany(copies.slice(1), options))];
    };
    await using unit = await session({ host: { ...host, files: { ...files, copyMany } } });
    for (const name of ['tree', 'mirror']) await mkdir(join(root, name));
    for (const name of ['a', 'b']) await writeFile(join(root, 'tree', name), name);
    expect(
      (
        await failureOf(
          unit.call('FA_sync_dir', { src: join(root, 'tree'), dst: join(root, 'mirror'), progress_name: 'sync' }),
        )
      ).facts.code,
    ).toBe('SVC87009');
    expect(await list(unit)).toMatchObject([{ status: 'cancelled', total: 2, transferred: 1 }]);
    expect(await readdir(join(root, 'mirror'))).toEqual(['a']);
  });

  it.each([
    [
      'FA_copy_file',
      (progress_name: string) => ({ source: join(root, 'big'), target: join(root, 'there'), progress_name }),
    ],
    ['FA_file_checksum', (progress_name: string) => ({ path: join(root, 'big'), chunk_size: 4096, progress_name })],
    [
      'FA_zip_file',
      (progress_name: string) => ({ zip_file_path: join(root, 'there'), file: join(root, 'big'), progress_name }),
    ],
    [
      'FA_create_tar',
      (progress_name: string) => ({ source: join(root, 'big'), target: join(root, 'there'), progress_name }),
    ],
    [
      'FA_encrypt_file',
      (progress_name: string) => ({
        source: join(root, 'big'),
        target: join(root, 'there'),
        key: Buffer.alloc(32).toString('base64'),
        progress_name,
      }),
    ],
  ])('%s is stopped by FA_progress_cancel beside it, and leaves its target alone', async (command, params) => {
    await using unit = await session();
    await list(unit);
    const running = failureOf(unit.call(command, params('big')));
    while (!(await unit.call('FA_progress_cancel', { name: 'big' })))
      await new Promise((resolve) => setImmediate(resolve));
    expect((await running).facts).toMatchObject({ code: 'SVC87009', name: 'CancelledException' });
    expect((await list(unit))[0]).toMatchObject({ status: 'cancelled' });
    expect([
      await readFile(join(root, 'there'), 'utf8'),
      (await readdir(root)).sort(),
      (await stat(join(root, 'big'))).size,
    ]).toEqual(['old', ['big', 'there'], size]);
    expect(await unit.call('FA_progress_cancel', { name: 'big' })).toBe(false);
  });

  it('refuse a name that is in use, before anything is done', async () => {
    await using unit = await session();
    await list(unit);
    const running = unit.call('FA_copy_file', {
      source: join(root, 'big'),
      target: join(root, 'copy'),
      progress_name: 'big',
    });
    while ((await list(unit)).length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(
      (
        await failureOf(
          unit.call('FA_copy_file', { source: join(root, 'there'), target: join(root, 'other'), progress_name: 'big' }),
        )
      ).facts.code,
    ).toBe('SVC87012');
    await running;
    expect((await readdir(root)).includes('other')).toBe(false);
  });
});
