import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { ownIdentity } from '#runtime/services/file-locks/process-identity.ts';
import type { Clock } from '#schemas/types/host.ts';

import { openLockServices } from '../../../fixtures/lock-service.ts';
import { failureOf, session } from '../../call.ts';
import { runActions } from '../run-actions.ts';

let root: string;
let db: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-files-'));
  db = join(root, 'deep/locks.db');
});
afterEach(() => rm(root, { recursive: true }));

const create = (name: string): unknown[] => ['FA_create_file', { file_path: join(root, name) }];
const { signal } = new AbortController();
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Rows of a query, or of a statement that changes the database. */
function ask(sql: string, path = db): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(path);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

describe('FA_with_db_lock in a SQLite file', () => {
  it('holds a row while the list runs, and removes it', async () => {
    await using unit = await session();
    const then = [['FA_db_lock_status', { db_path: db, name: 'job' }]];
    const value = (await unit.call('FA_with_db_lock', { db_path: db, name: 'job', ttl: 30, then })) as {
      results: Record<string, { value: { held: boolean; owner: string; acquired_at: number; expires_at: number } }>;
    };
    const status = value.results['execute[0]: FA_db_lock_status']?.value;
    expect(status).toMatchObject({ held: true, owner: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown });
    expect((status?.expires_at ?? 0) - (status?.acquired_at ?? 0)).toBeCloseTo(30, 3);
    expect(Math.abs((status?.acquired_at ?? 0) - Date.now() / 1000)).toBeLessThan(10);
    expect([ask('SELECT * FROM svc_locks'), ask('SELECT * FROM svc_lock_holders'), ask('PRAGMA journal_mode')]).toEqual(
      [[], [], [{ journal_mode: 'wal' }]],
    );
    expect(await unit.call('FA_db_lock_status', { db_path: db, name: 'job' })).toEqual({
      held: false,
      owner: null,
      acquired_at: null,
      expires_at: null,
      fence: null,
    });
  });

  it('gives each name its own lease, and refuses one to the list that holds it', async () => {
    await using unit = await session();
    const inside = (name: string, path = db): unknown[] => [
      'FA_with_db_lock',
      { db_path: path, name, timeout: null, then: [create(name)] },
    ];
    await unit.call('FA_with_db_lock', {
      db_path: db,
      name: 'a',
      then: [inside('b'), inside('a', join(root, 'other.db'))],
    });
    expect((await readdir(root)).sort()).toEqual(['a', 'b', 'deep', 'other.db']);
    await unit.step('FA_with_db_lock', { db_path: db, name: 'c', then: [inside('c')] });
    expect(unit.records.at(-2)?.error).toMatchObject({ code: 'SVC87010' });
    const parallel = await unit.step('FA_execute_action_parallel', {
      actions: [inside('x'), inside('x'), inside('x')],
    });
    expect(parallel.status).toBe('passed');
  });

  it('has a name that every database can keep whole', async () => {
    const { errors, records } = await runActions(root, [
      ['FA_with_db_lock', { db_path: db, name: '\u20ac'.repeat(251), then: [create('a')] }],
    ]);
    expect([errors.length, records]).toEqual([1, []]);
    await using unit = await session();
    await unit.call('FA_with_db_lock', { db_path: db, name: '\u{1f512}'.repeat(125), then: [create('a')] });
  });

  it('waits for its time and names the holder', async () => {
    await using services = await openLockServices();
    await using unit = await session();
    await services.leases.acquire(db, 'job', { timeout: 0, ttl: null, signal });
    const failure = await failureOf(
      unit.call('FA_with_db_lock', { db_path: db, name: 'job', timeout: 0.1, then: [create('a')] }),
    );
    expect(failure.facts).toMatchObject({
      name: 'LockTimeoutException',
      help: expect.stringContaining(`process ${process.pid}`) as unknown,
    });
    expect(await unit.call('FA_db_lock_status', { db_path: db, name: 'job' })).toMatchObject({
      held: true,
      expires_at: null,
    });
  });

  it('renews its lease while the list runs longer than its life', async () => {
    await using services = await openLockServices();
    const lease = await services.leases.acquire(db, 'job', { timeout: 0, ttl: 0.6, signal });
    for (let count = 0; count < 10; count += 1) {
      await wait(100);
      await expect(services.leases.acquire(db, 'job', { timeout: 0, ttl: null, signal })).rejects.toMatchObject({
        name: 'LockTimeoutException',
      });
    }
    expect(lease.signal.aborted).toBe(false);
    await lease.release();
    await lease.release();
  });

  it('cancels the list when the lease is lost, and fails', async () => {
    await using unit = await session();
    const slow = ['FA_rate_limit_acquire', { name: 'slow', rate: 0.01, tokens: 1 }];
    // What is loaded at its first use must not take from the life.
    await unit.call('FA_with_db_lock', {
      db_path: db,
      name: 'job',
      then: [['FA_rate_limit_acquire', { name: 'slow', rate: 0.01 }]],
    });
    setTimeout(() => ask("UPDATE svc_locks SET owner = 'somebody'"), 300);
    const { failure } = await unit.step('FA_with_db_lock', {
      db_path: db,
      name: 'job',
      ttl: 1.5,
      then: [slow, slow, create('a')],
    });
    expect(failure?.facts.code).toBe('SVC87007');
    expect(unit.records.slice(2).map(({ status }) => status)).toEqual(['failed', 'skipped', 'skipped', 'failed']);
    expect(ask('SELECT owner FROM svc_locks')).toEqual([{ owner: 'somebody' }]);
  });

  it('is lost when it cannot be renewed within its life', async () => {
    await using services = await openLockServices();
    const lease = await services.leases.acquire(db, 'job', { timeout: 0, ttl: 0.3, signal });
    const blocker = new DatabaseSync(db);
    blocker.exec('BEGIN IMMEDIATE');
    await new Promise((resolve) => lease.signal.addEventListener('abort', resolve));
    blocker.exec('ROLLBACK');
    blocker.close();
    expect(lease.signal.reason).toMatchObject({
      facts: { code: 'SVC87007', message: expect.stringContaining('could not be renewed') as unknown },
    });
    await expect(lease.release()).rejects.toBe(lease.signal.reason);
  });

  it('measures lives by the monotonic clock: setting the clock forth or back steals and keeps nothing', async () => {
    const { clock } = nodeHost();
    let shift = 0;
    const shifted: Clock = { ...clock, now: () => clock.now() + shift };
    await using services = await openLockServices({ clock: shifted });
    const lease = await services.leases.acquire(db, 'job', { timeout: 0, ttl: 60, signal });
    shift = 3_600_000;
    await expect(services.leases.acquire(db, 'job', { timeout: 0, ttl: 1, signal })).rejects.toMatchObject({
      name: 'LockTimeoutException',
    });
    await lease.release();
    const other = await services.leases.acquire(db, 'job', { timeout: 0, ttl: 60, signal });
    ask(
      `UPDATE svc_lock_holders SET process = '${JSON.stringify({ ...ownIdentity(), pid: process.ppid, started: '' })}'`,
    );
    shift = -3_600_000;
    await expect(services.leases.acquire(db, 'job', { timeout: 0, ttl: 1, signal })).rejects.toMatchObject({
      name: 'LockTimeoutException',
    });
    ask('UPDATE svc_lock_holders SET ends = 0');
    await (await services.leases.acquire(db, 'job', { timeout: 0, ttl: 1, signal })).release();
    await expect(other.release()).rejects.toMatchObject({ facts: { code: 'SVC87007' } });
  });

  it('is free at once when its process has died, whatever its life', async () => {
    const services = await openLockServices();
    await using unit = await session();
    await services.leases.acquire(db, 'job', { timeout: 0, ttl: null, signal });
    const gone = { ...ownIdentity(), pid: Number(execFileSync('sh', ['-c', 'echo $$'])) };
    ask(`UPDATE svc_lock_holders SET process = '${JSON.stringify(gone)}'`);
    expect(await unit.call('FA_db_lock_status', { db_path: db, name: 'job' })).toMatchObject({ held: false });
    expect(
      (await unit.step('FA_with_db_lock', { db_path: db, name: 'job', timeout: 0, then: [create('a')] })).status,
    ).toBe('passed');
    await expect(services[Symbol.asyncDispose]()).rejects.toMatchObject({ facts: { code: 'SVC87007' } });
  });

  it('reads and uses the table of the older name where there is one', async () => {
    await using unit = await session();
    db = join(root, 'old.db');
    ask(
      'CREATE TABLE automation_locks(name TEXT PRIMARY KEY, owner TEXT NOT NULL, acquired_at REAL NOT NULL, expires_at REAL)',
    );
    const now = Date.now() / 1000;
    ask(`INSERT INTO automation_locks VALUES ('job', 'theirs', ${now}, ${now + 60}), ('past', 'theirs', 1, 2)`);
    expect(await unit.call('FA_db_lock_status', { db_path: db, name: 'job' })).toMatchObject({
      held: true,
      owner: 'theirs',
    });
    expect(
      (await unit.step('FA_with_db_lock', { db_path: db, name: 'job', timeout: 0, then: [create('a')] })).failure?.facts
        .name,
    ).toBe('LockTimeoutException');
    expect(
      (
        await unit.step('FA_with_db_lock', {
          db_path: db,
          name: 'past',
          then: [['FA_db_lock_status', { db_path: db, name: 'past' }]],
        })
      ).status,
    ).toBe('passed');
    expect(ask('SELECT name FROM automation_locks')).toEqual([{ name: 'job' }]);
    expect(ask("SELECT name FROM sqlite_master WHERE name = 'svc_locks'")).toEqual([]);
  });

  it('refuses what is no database, and makes nothing for a question', async () => {
    await using unit = await session();
    await writeFile(join(root, 'text'), 'not a database, but long enough to look at'.repeat(10));
    expect(
      (await failureOf(unit.call('FA_db_lock_status', { db_path: join(root, 'text'), name: 'job' }))).facts.code,
    ).toBe('SVC87408');
    expect(
      (await failureOf(unit.call('FA_with_db_lock', { db_path: join(root, 'text'), name: 'job', then: [create('a')] })))
        .facts.code,
    ).toBe('SVC87408');
    expect(await unit.call('FA_db_lock_status', { db_path: db, name: 'job' })).toMatchObject({ held: false });
    expect(await readdir(root)).toEqual(['text']);
  });
});

describe('addresses', () => {
  it('of unknown kinds or forms are refused without showing their passwords', async () => {
    await using unit = await session();
    for (const db_path of ['redis://u:hidden@h/0', 'mariadb://u:hidden@/x y', 'postgresql://u:hidden@h:port/db']) {
      const failure = await failureOf(unit.call('FA_db_lock_status', { db_path, name: 'job' }));
      expect(['SVC87008', 'SVC87015']).toContain(failure.facts.code);
      expect(JSON.stringify([failure.facts, unit.records])).not.toContain('hidden');
    }
  });

  it.each(['postgresql', 'mariadb'])('%s: what cannot be reached is told, without its password', async (scheme) => {
    await using unit = await session();
    const failure = await failureOf(
      unit.call('FA_db_lock_status', { db_path: `${scheme}://me:hid%40den@127.0.0.1:1/db`, name: 'job' }),
    );
    expect(failure.facts).toMatchObject({
      code: 'SVC87014',
      kinds: ['network'],
      message: expect.stringContaining(`${scheme}://me:***@127.0.0.1:1/db`) as unknown,
    });
    expect(JSON.stringify(unit.records)).not.toMatch(/hid%40den|hid@den/);
  });
});
