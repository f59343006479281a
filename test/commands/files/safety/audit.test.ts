import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { hideByKey } from '#runtime/kernel/records/hide-by-key.ts';
import type { AuditRow } from '#runtime/services/audit/port.ts';
import type { Host } from '#schemas/types/host.ts';

import { failureOf, session, type Session } from '../../call.ts';
import { runActions } from '../run-actions.ts';

let root: string;
let unit: Session;
let database: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'svc-audit-'));
  database = join(root, 'log', 'audit.db');
  unit = await session();
});
afterEach(async () => {
  await unit.end();
  rmSync(root, { recursive: true, force: true });
});

const rows = async (filter: Readonly<Record<string, unknown>> = {}, of = unit): Promise<readonly AuditRow[]> =>
  (await of.call('FA_audit_recent', { limit: 100, ...filter })) as readonly AuditRow[];

describe('every executed step', () => {
  test('writes a row with what it was called with and what came of it', async () => {
    expect(await unit.call('FA_audit_open', { db_path: database })).toEqual({ db_path: database, count: 0 });
    await unit.step('FA_create_file', { file_path: join(root, 'a.txt'), content: 'x' });
    await unit.step('FA_remove_dir_tree', { dir_path: join(root, 'nowhere') });
    const written = await rows();
    expect(written.map(({ id, action, actor, status }) => [id, action, actor, status])).toEqual([
      [3, 'FA_remove_dir_tree', userInfo().username, expect.stringMatching(/ok|error/) as string],
      [2, 'FA_create_file', userInfo().username, 'ok'],
      [1, 'FA_audit_open', userInfo().username, 'ok'],
    ]);
    expect(written[1]?.detail).toMatchObject({
      payload: { file_path: join(root, 'a.txt'), content: 'x' },
      run: unit.work.run.id,
      step: 'session#1',
    });
    expect(written[1]?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(written[1]?.duration_ms).toBeGreaterThanOrEqual(0);
  });

  test('in a run: nested ones too, failed ones with their error, skipped ones and nested dry runs not', async () => {
    const { errors } = await runActions(root, [
      ['FA_audit_open', { db_path: database, actor: 'ci' }],
      [
        'FA_if_exists',
        {
          path: root,
          then: [
            ['FA_create_dir', { dir_path: join(root, 'made') }],
            ['FA_copy_file', { file_path: join(root, 'none'), target_path: join(root, 'x') }],
          ],
        },
      ],
      { FA_create_dir: { dir_path: join(root, 'skipped') }, when: '1 == 2' },
      ['FA_execute_action', { action_list: [['FA_create_dir', { dir_path: join(root, 'dry') }]], dry_run: true }],
      { FA_create_dir: { dir_path: join(root, 'retried', 'deep') }, retry: { max_attempts: 2, interval_s: 0.01 } },
    ]);
    expect(errors).toEqual([]);
    await unit.call('FA_audit_open', { db_path: database });
    const written = [...(await rows({ actor: 'ci' }))].reverse();
    expect(written.map(({ action, status }) => `${action} ${status}`)).toEqual([
      'FA_audit_open ok',
      'FA_create_dir ok',
      'FA_copy_file error',
      'FA_if_exists error',
      'FA_execute_action ok',
      'FA_create_dir ok',
    ]);
    expect(written[2]?.detail).toMatchObject({
      error: { type: 'FileNotExistsException', message: `There is no file "${join(root, 'none')}".` },
      step: 'actions.json#1.then.1',
    });
    expect(written[3]?.detail).toMatchObject({ payload: { path: root } });
    expect(JSON.stringify(written)).not.toContain('kernel-block');
  });

  test('shows no secret: neither what the run masks nor what stands under a telling key', async () => {
    await unit.call('FA_audit_open', { db_path: database });
    unit.work.run.masker.add('hunter22');
    await unit.call('FA_create_file', { file_path: join(root, 'a.txt'), content: 'the password is hunter22' });
    await unit.call('FA_audit_record', {
      action: 'login',
      detail: {
        user: 'ada',
        password: 'secret-1',
        nested: { apiKey: 'secret-2', list: [{ 'X-Auth-Token': 'secret-3' }] },
        credentials: { name: 'n', value: ['secret-4'] },
        key_path: '/etc/k',
      },
    });
    const text = JSON.stringify(await rows());
    expect(text).not.toMatch(/hunter22|secret-\d/);
    expect((await rows({ action: 'login' }))[0]?.detail).toEqual({
      user: 'ada',
      password: '***',
      nested: { apiKey: '***', list: [{ 'X-Auth-Token': '***' }] },
      credentials: { name: '***', value: ['***'] },
      key_path: '/etc/k',
    });
  });

  test('shows no secret in what was written by hand either, nor in who did it', async () => {
    unit.work.run.masker.add('hunter22');
    await unit.call('FA_audit_open', { db_path: database, actor: 'ada/hunter22' });
    await unit.call('FA_audit_record', {
      action: 'login hunter22',
      actor: 'bob hunter22',
      detail: { note: 'with hunter22', list: ['hunter22'], 'hunter22 as a key': 1 },
    });
    await unit.call('FA_audit_record', { action: 'plain' });
    await unit.call('FA_audit_close');
    const stored = new DatabaseSync(database);
    const text = JSON.stringify(stored.prepare('SELECT * FROM audit').all());
    stored.close();
    expect(text).not.toContain('hunter22');
    expect(text).toContain('login ***');
    expect(text).toContain('ada/***');
  });

  test('a large result is cut, and says so', async () => {
    await unit.call('FA_audit_open', { db_path: database });
    await unit.call('FA_audit_record', {
      action: 'big',
      detail: { note: 'kept', result: { list: Array.from({ length: 5000 }, (_, index) => index) } },
    });
    const [row] = await rows({ action: 'big' });
    expect(JSON.stringify(row?.detail).length).toBeLessThan(9000);
    expect(row?.detail).toMatchObject({ note: 'kept', truncated: true });
  });

  test('stops when the log is closed, and goes on elsewhere when another one is opened', async () => {
    await unit.call('FA_audit_open', { db_path: database });
    const other = join(root, 'other.db');
    await unit.call('FA_audit_open', { db_path: other, actor: 'second' });
    expect((await rows()).map(({ action, actor }) => [action, actor])).toEqual([['FA_audit_open', 'second']]);
    expect([await unit.call('FA_audit_close'), await unit.call('FA_audit_close')]).toEqual([true, false]);
    await unit.call('FA_create_dir', { dir_path: join(root, 'x') });
    expect(await unit.call('FA_audit_open', { db_path: database })).toMatchObject({ count: 1 });
  });
});

describe('reading', () => {
  test('the newest first, by every filter', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const host: Host = { ...nodeHost(), clock: { ...nodeHost().clock, now: () => now } };
    await using own = await session({ host });
    await own.call('FA_audit_open', { db_path: database, actor: 'opener' });
    for (const [action, actor, status] of [
      ['a', 'ada', 'ok'],
      ['b', null, 'error'],
      ['a', 'bob', 'error'],
    ] as const) {
      now += 1000;
      await own.call('FA_audit_record', { action, actor, status, duration_ms: 1.5 });
    }
    const by = async (filter: Readonly<Record<string, unknown>>): Promise<readonly string[]> =>
      (await rows({ ...filter }, own))
        .filter(({ action }) => action.length === 1)
        .map(({ action, actor, status }) => `${action} ${actor} ${status}`);
    expect(await by({})).toEqual(['a bob error', 'b opener error', 'a ada ok']);
    expect(await by({ action: 'a' })).toEqual(['a bob error', 'a ada ok']);
    expect(await by({ actor: 'opener', action: 'b' })).toEqual(['b opener error']);
    expect(await by({ status: 'ok' })).toEqual(['a ada ok']);
    expect(await by({ since: '2026-01-01T00:00:02Z', until: '2026-01-01T01:00:02.000+01:00' })).toEqual([
      'b opener error',
    ]);
    expect(await own.call('FA_audit_count', { action: 'a', status: 'error' })).toBe(1);
    // A leap second.
    expect([
      await own.call('FA_audit_count', { since: '2016-12-31T23:59:60Z', action: 'a' }),
      await own.call('FA_audit_count', { until: '2016-12-31T23:59:60Z' }),
    ]).toEqual([await own.call('FA_audit_count', { action: 'a' }), 0]);
    expect(await own.call('FA_audit_recent', { limit: 0 })).toEqual([]);
    const [first] = await rows({ action: 'a', actor: 'ada' }, own);
    expect(first).toMatchObject({ timestamp: '2026-01-01T00:00:01.000Z', duration_ms: 1.5, detail: {} });
    now += 100_000;
    expect(await own.call('FA_audit_purge', { older_than_seconds: 101.5 })).toBe(3);
    expect(await by({})).toEqual(['a bob error', 'b opener error']);
  });

  test('rows of one moment in the order in which they were written', async () => {
    const host: Host = { ...nodeHost(), clock: { ...nodeHost().clock, now: () => 1_000_000 } };
    await using own = await session({ host });
    await own.call('FA_audit_open', { db_path: database });
    for (const action of ['one', 'two', 'three']) await own.call('FA_audit_record', { action });
    const ids = (await rows({}, own)).map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
  });

  test('nothing of it without an open log', async () => {
    for (const name of ['FA_audit_recent', 'FA_audit_count'] as const)
      expect((await failureOf(unit.call(name))).facts).toMatchObject({ code: 'SVC87405', name: 'AuditException' });
    expect((await failureOf(unit.call('FA_audit_record', { action: 'x' }))).name).toBe('AuditException');
    expect((await failureOf(unit.call('FA_audit_purge', { older_than_seconds: 1 }))).name).toBe('AuditException');
  });
});

describe('files', () => {
  test('of the older form are taken over with their ids', async () => {
    mkdirSync(join(root, 'log'));
    const old = new DatabaseSync(database);
    old.exec(
      'CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, ts REAL NOT NULL, action TEXT NOT NULL, payload TEXT NOT NULL, result TEXT, error TEXT, duration_ms REAL NOT NULL); CREATE INDEX idx_audit_ts ON audit (ts DESC)',
    );
    const insert = old.prepare(
      'INSERT INTO audit (id, ts, action, payload, result, error, duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    insert.run(7, 1000.5, 'FA_copy', '{"a":1}', '"done"', null, 3.5);
    insert.run(9, 1001, 'FA_move', 'not json', null, 'OSError: gone', 1);
    old.close();
    expect(await unit.call('FA_audit_open', { db_path: database })).toMatchObject({ count: 2 });
    const [second, first] = (await rows()).slice(-2);
    expect(first).toEqual({
      id: 7,
      timestamp: '1970-01-01T00:16:40.500Z',
      action: 'FA_copy',
      actor: null,
      status: 'ok',
      duration_ms: 3.5,
      detail: { payload: { a: 1 }, result: 'done' },
    });
    expect(second).toMatchObject({
      id: 9,
      status: 'error',
      detail: { payload: 'not json', error: { type: 'Error', message: 'OSError: gone' } },
    });
    expect(await unit.call('FA_audit_record', { action: 'new' })).toBeGreaterThan(9);
  });

  test('that are something else are refused, and the log that was open stays open', async () => {
    await unit.call('FA_audit_open', { db_path: database });
    const text = join(root, 'notes.txt');
    writeFileSync(text, 'these are notes, and no database\n'.repeat(200));
    expect((await failureOf(unit.call('FA_audit_open', { db_path: text }))).message).toMatch(
      /^The audit log ".*notes\.txt" cannot be used: .*is not a database/,
    );
    const other = join(root, 'other.db');
    const made = new DatabaseSync(other);
    made.exec('CREATE TABLE audit (name TEXT)');
    made.close();
    const refused = await failureOf(unit.call('FA_audit_open', { db_path: other }));
    expect([refused.name, refused.message]).toEqual([
      'AuditException',
      `The audit log "${other}" cannot be used: its table "audit" has other columns: name.`,
    ]);
    expect((await failureOf(unit.call('FA_audit_open', { db_path: join(text, 'below.db') }))).name).toBe(
      'AuditException',
    );
    expect(await unit.call('FA_audit_count', { action: 'FA_audit_open', status: 'error' })).toBe(3);
  });

  test('that break while the run goes on: steps pass, the run says so once, and at its end how many rows are missing', async () => {
    const notices: string[] = [];
    const { emit } = unit.work.run;
    unit.work.run.emit = (event) => {
      if (event.kind === 'notice') notices.push(event.text);
      emit.call(unit.work.run, event);
    };
    await unit.call('FA_audit_open', { db_path: database });
    const other = new DatabaseSync(database);
    other.exec('DROP TABLE audit');
    other.close();
    for (const name of ['one', 'two', 'three'])
      expect((await unit.step('FA_create_dir', { dir_path: join(root, name) })).status).toBe('passed');
    expect((await failureOf(unit.call('FA_audit_count'))).message).toBe(
      `The audit log "${database}" cannot be used: no such table: audit.`,
    );
    await unit.end();
    expect(notices).toEqual([
      '"audit" could not follow the steps of this file: no such table: audit',
      `The audit log "${database}" cannot be used: 4 rows could not be written.`,
    ]);
  });

  test.each([
    ['removed', () => rmSync(database)],
    [
      'moved away, another one in its place',
      () => {
        renameSync(database, `${database}.1`);
        const other = new DatabaseSync(database);
        other.exec('CREATE TABLE notes (text TEXT)');
        other.close();
      },
    ],
  ])('that are %s while the run goes on: it says so, and goes on in the file that is there then', async (_, away) => {
    const { clock } = nodeHost();
    let ahead = 0;
    const notices: string[] = [];
    await using own = await session({
      host: { ...nodeHost(), clock: { ...clock, monotonic: () => clock.monotonic() + ahead } },
    });
    own.work.notice = (level, text) => void notices.push(`${level}: ${text}`);
    await own.call('FA_audit_open', { db_path: database, actor: 'ada' });
    away();
    await own.call('FA_create_dir', { dir_path: join(root, 'lost') });
    expect(notices).toEqual([]);
    ahead += 6000;
    await own.call('FA_create_dir', { dir_path: join(root, 'seen') });
    while (!existsSync(database) || notices.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(notices).toEqual([
      `warning: The audit log "${database}" cannot be used: it was removed or replaced while it was open; rows of the last seconds may be missing, further ones go into the file that is there now.`,
    ]);
    // While it is opened anew there is none that could be asked.
    while ((await own.step('FA_audit_count', { action: 'FA_create_dir' })).result !== 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    await own.call('FA_create_dir', { dir_path: join(root, 'kept') });
    const kept = (await rows({ action: 'FA_create_dir' }, own)).map(({ actor, detail }) => [actor, detail['payload']]);
    expect(kept).toEqual([['ada', { dir_path: join(root, 'kept') }]]);
  });

  test('a dry run makes none', async () => {
    const { records } = await runActions(root, [
      ['FA_execute_action', { action_list: [['FA_audit_open', { db_path: database }]], dry_run: true }],
    ]);
    expect(records.at(-1)?.status).toBe('passed');
    expect(existsSync(database)).toBe(false);
  });
});

test('keys that tell, and keys that only sound so', () => {
  const given = {
    pass: 'x',
    Passphrase: 'x',
    api_key: 1,
    accessKey: 'x',
    privateKey: 'x',
    'set-cookie': 'x',
    DATABASE_DSN: 'x',
    keyboard: 'qwerty',
    author: 'ada',
    tokens_used: 3,
    monkey: 'x',
    token: null,
    secret: true,
    list: [{ pwd_hint: 'x' }, 'plain'],
  };
  expect(hideByKey(given)).toEqual({
    pass: '***',
    Passphrase: '***',
    api_key: '***',
    accessKey: '***',
    privateKey: '***',
    'set-cookie': '***',
    DATABASE_DSN: '***',
    keyboard: 'qwerty',
    author: 'ada',
    tokens_used: 3,
    monkey: 'x',
    token: null,
    secret: true,
    list: [{ pwd_hint: '***' }, 'plain'],
  });
});
