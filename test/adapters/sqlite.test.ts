import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Sqlite, SqliteDatabase, SqliteValue } from '#runtime/adapters/sqlite/port.ts';
import type { Failure } from '#schemas/types/failure.ts';
import { TooManyRows } from '#schemas/types/sql.ts';

import { session, type Session } from '../commands/session.ts';
import { lacks } from '../fixtures/programs.ts';

let root: string;
let unit: Session;
let sqlite: Sqlite;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'svc-sqlite-'));
  unit = await session({ root });
  sqlite = await unit.work.port('sqlite', unit.work.linked);
});
afterAll(async () => {
  await unit.end();
  rmSync(root, { recursive: true, force: true });
});

async function failure(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (error) {
    return error as Failure;
  }
  throw new Error('nothing failed');
}

describe('a database file', () => {
  test('is made, keeps what was written, and tells of rows and ids', async () => {
    const path = join(root, 'a.db');
    const first = await sqlite.open(path);
    first.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c BLOB)');
    expect(first.run('INSERT INTO t (a, b, c) VALUES (?, ?, ?)', ['ä', 1.5, new Uint8Array([1, 2])])).toEqual({
      changes: 1,
      lastId: 1,
    });
    expect(first.run('INSERT INTO t (a) VALUES (?), (?)', ['x', null])).toEqual({ changes: 2, lastId: 3 });
    first.close();
    first.close();
    const again = await sqlite.open(path, { create: false });
    expect(again.all('SELECT a, b, c FROM t WHERE id < ? ORDER BY id', [3]).map((row) => ({ ...row }))).toEqual([
      { a: 'ä', b: 1.5, c: new Uint8Array([1, 2]) },
      { a: 'x', b: null, c: null },
    ]);
    again.close();
  });

  test.skipIf(lacks('sqlite3'))('is read by the program of SQLite', async () => {
    const path = join(root, 'b.db');
    const database = await sqlite.open(path);
    database.exec("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('from here')");
    database.close();
    expect(execFileSync('sqlite3', [path, 'PRAGMA integrity_check; SELECT a FROM t'], { encoding: 'utf8' })).toBe(
      'ok\nfrom here\n',
    );
  });

  test('that is none is named, and left as it is', async () => {
    const path = join(root, 'text.db');
    writeFileSync(path, 'no database\n'.repeat(100));
    expect((await failure(() => sqlite.open(path))).message).toBe(
      `The database file "${path}" cannot be used: file is not a database.`,
    );
    expect((await failure(() => sqlite.open(join(root, 'no', 'folder.db')))).message).toContain(
      'unable to open database file',
    );
    expect((await failure(() => sqlite.open(root))).facts.code).toBe('SVC87408');
    expect((await failure(() => sqlite.open(join(root, 'missing.db'), { create: false }))).message).toContain(
      'there is no such file',
    );
    expect(existsSync(join(root, 'missing.db'))).toBe(false);
  });

  test('a mistake in a statement is ours and not about the file', async () => {
    const database = await sqlite.open(join(root, 'c.db'));
    expect((await failure(() => database.exec('SELEKT'))).message).toMatch(/^near "SELEKT"/);
    database.close();
  });

  describe('rows of a statement', () => {
    let database: SqliteDatabase;
    beforeAll(async () => {
      database = await sqlite.open(':memory:');
      database.exec("CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (3, 'x'), (1, 'y'), (2, NULL), (1, 'x')");
    });
    afterAll(() => database.close());
    const rows = (sql: string, values: readonly SqliteValue[] = [], mostRows = 100): unknown =>
      database.table(sql, values, { mostRows }).rows;

    test.each([
      [
        'SELECT a, b FROM t ORDER BY a DESC, b',
        [
          [3, 'x'],
          [2, null],
          [1, 'x'],
          [1, 'y'],
        ],
      ],
      ['SELECT DISTINCT b FROM t ORDER BY b DESC;', [['y'], ['x'], [null]]],
      ['SELECT a FROM t WHERE a > 1 ORDER BY rowid LIMIT 1 OFFSET 1 -- the second;', [[2]]],
      ["SELECT a FROM t WHERE b = 'x' UNION ALL SELECT 7 ORDER BY 1 DESC", [[7], [3], [1]]],
      ['SELECT b, sum(a) FROM t GROUP BY b HAVING count(*) > 1', [['x', 4]]],
      ['WITH n(i) AS (VALUES (2), (1)) SELECT i FROM n ORDER BY i /* open', [[1], [2]]],
      [
        'VALUES (1, 2), (3, 4) ;',
        [
          [1, 2],
          [3, 4],
        ],
      ],
      ['SELECT a, a FROM t WHERE a = 3', [[3, 3]]],
      ['PRAGMA user_version', [[0]]],
      ["SELECT 9007199254740993 AS i, 1e999 AS r, x'00ff' AS b", [['9007199254740993', 'Infinity', 'AP8=']]],
    ])('%s', (sql, expected) => expect(rows(sql)).toEqual(expected));

    test('end at the most that are wanted, and take their values in order', () => {
      expect(rows('SELECT a FROM t WHERE a < ? AND b = ?', [3, 'x'])).toEqual([[1]]);
      expect(rows('SELECT a FROM t', [], 4)).toHaveLength(4);
      for (const sql of ['SELECT a FROM t', 'SELECT a, a FROM t']) expect(() => rows(sql, [], 3)).toThrow(TooManyRows);
    });

    test('are those of what changed', () => {
      expect(rows("INSERT INTO t VALUES (9, 'z') RETURNING a")).toEqual([[9]]);
      const table = database.table('DELETE FROM t WHERE a = 9 RETURNING b', [], { mostRows: 100 });
      expect(table).toEqual({ columns: ['b'], rows: [['z']], changes: 1 });
    });

    test('are those of one whole statement alone', () => {
      expect(() => rows('SELECT 1) UNION SELECT (2')).toThrow(/^near "\)"/);
      expect(() => rows('SELECT a FROM t) --')).toThrow(/^near "\)"/);
    });

    test.each(['', ', i'])('end where a look between them fails: SELECT i%s', (twice) => {
      const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i${twice} FROM n`;
      const over = new Error('over');
      let looks = 0;
      const stop = (): Error | undefined => ((looks += 1) > 10 ? over : undefined);
      expect(() => database.table(endless, [], { mostRows: 1_000_000, stop })).toThrow(over);
      expect(rows('SELECT 1')).toEqual([[1]]);
    });
  });

  test('locked by another process: waits, then says so; afterwards it works', async () => {
    const path = join(root, 'busy.db');
    const database = await sqlite.open(path, { busy_ms: 50 });
    database.exec('CREATE TABLE t (a)');
    const script = `const { DatabaseSync } = require('node:sqlite'); const d = new DatabaseSync(process.argv[1]); d.exec('BEGIN IMMEDIATE'); console.log('held'); process.stdin.once('data', () => { d.exec('COMMIT'); d.close(); process.exit(0); });`;
    const other = spawn(process.execPath, ['-e', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');
    const busy = await failure(() => database.run('INSERT INTO t VALUES (1)'));
    expect(busy.message).toBe(`The database file "${path}" is in use by another process.`);
    expect([busy.facts.class, sqlite.isBusy(busy), sqlite.isBusy(new Error('x'))]).toEqual(['transient', true, false]);
    other.stdin.write('x');
    await once(other, 'exit');
    expect(database.run('INSERT INTO t VALUES (1)').changes).toBe(1);
    database.close();
  });
});

describe('a statement that makes a value of gigabytes', () => {
  test.skipIf(!('limits' in new DatabaseSync(':memory:')))('is refused as a mistake in it', async () => {
    const database = await sqlite.open(':memory:');
    for (const sql of ['SELECT zeroblob(900000000) AS a', 'SELECT hex(zeroblob(200000000)) AS a']) {
      const error = await failure(() => database.table(sql, [], { mostRows: 1 }));
      expect([error.name, error.message]).toEqual(['Error', 'string or blob too big']);
    }
    database.close();
  });
});
