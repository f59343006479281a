import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FileLock, FileWatcher, Scheduler, Session, SQLiteLock, TriggerManager } from '#compiler/library/files.ts';

let root: string;
let watched: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-library-'));
  watched = join(root, 'watched');
  await mkdir(watched);
});
afterEach(() => rm(root, { recursive: true }));

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const made = (): string => join(root, 'made');
const list = (): string[][][] => [['FA_create_file', [made()]]] as unknown as string[][][];
const stopped = { name: 'run-stopped' };

/** Whether a change of the folder still runs a list. */
async function isWatched(): Promise<boolean> {
  await writeFile(join(watched, 'new'), '');
  await wait(300);
  return existsSync(made());
}

describe('Session.close', () => {
  it('cancels what runs, and takes nothing new', async () => {
    const session = await Session.open({ settings: { gates: { shell: true } } });
    const long = session.action('FA_run_shell', { command: ['sleep', '30'] }).catch((error: unknown) => error);
    await wait(300);
    await session.close();
    expect(await long).toMatchObject(stopped);
    await expect(session.action('FA_create_dir', { dir_path: made() })).rejects.toMatchObject(stopped);
    expect(existsSync(made())).toBe(false);
  });

  it('leaves nothing behind that was just being started', async () => {
    const session = await Session.open();
    const start = session
      .action('FA_watch_start', { name: 'w', path: watched, action_list: list(), debounce_ms: 10 })
      .catch((error: unknown) => error);
    await session.close();
    await session.close();
    expect(await start).toMatchObject(stopped);
    expect(await isWatched()).toBe(false);
  });
});

describe('watchers and schedulers', () => {
  it('a watcher that is stopped while it starts does not run', async () => {
    const watcher = new FileWatcher('w', watched, list(), { debounce_ms: 10 });
    const start = watcher.start();
    await watcher.stop();
    expect((await start).running).toBe(true);
    expect(watcher.is_running).toBe(false);
    expect(await isWatched()).toBe(false);
  });

  it('close without a complaint after their signal has stopped them', async () => {
    const end = new AbortController();
    const watchers = new TriggerManager({ signal: end.signal });
    const watcher = new FileWatcher('one', watched, list(), { debounce_ms: 10 }, { signal: end.signal });
    const jobs = new Scheduler({ signal: end.signal });
    await watchers.start('w', watched, list(), { debounce_ms: 10 });
    await watcher.start();
    await jobs.add('j', '* * * * *', list());
    end.abort();
    await Promise.all([watchers.close(), watcher.stop(), jobs.shutdown()]);
    expect(watcher.is_running).toBe(false);
    expect(await isWatched()).toBe(false);
  });
});

describe.each([
  ['FileLock', () => new FileLock(join(root, 'lock'), { timeout: 20 })],
  ['SQLiteLock', () => new SQLiteLock(join(root, 'locks.db'), 'job', { timeout: 20 })],
] as const)('%s', (_kind, open) => {
  it('released while it waits is not acquired later', async () => {
    const [holder, waiting] = [open(), open()];
    await holder.acquire();
    const acquiring = waiting.acquire().catch((error: unknown) => error);
    await wait(100);
    await waiting.release();
    expect(await acquiring).toMatchObject({ name: 'LockTimeoutException' });
    await holder.release();
    expect(waiting.is_held).toBe(false);
    expect(await holder.use(() => 'free')).toBe('free');
    expect(await waiting.use(() => waiting.is_held)).toBe(true);
  });
});

it('a lock refuses a time limit that is none', () => {
  for (const timeout of [-1, NaN]) {
    expect(() => new FileLock('x', { timeout })).toThrow(RangeError);
    expect(() => new SQLiteLock('x', 'y', { timeout })).toThrow(RangeError);
  }
});
