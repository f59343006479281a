import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { lacksServer, startMariadb, startPostgres, type DatabaseServer } from '../../fixtures/database-server.ts';
import { failureOf, session } from '../call.ts';
import type { Session, SessionOptions } from '../call.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-db-'));
});
afterEach(() => rm(root, { recursive: true }));

interface Database {
  query(sql: string, params?: object): Promise<unknown>;
  execute(sql: string, params?: object): Promise<unknown>;
  unit: Session;
}

/** Asks one database through the commands. */
async function database<T>(url: string, work: (db: Database) => Promise<T>, options: SessionOptions = {}): Promise<T> {
  await using unit = await session({ root, ...options });
  const call = (name: string, sql: string, params?: object): Promise<unknown> =>
    unit.call(name, { connection_url: url, sql, ...(params && { params }) });
  return await work({
    query: (sql, params) => call('WR_db_query', sql, params),
    execute: (sql, params) => call('WR_db_execute', sql, params),
    unit,
  });
}

const openSockets = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;

const codeOf = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).facts.code;

describe('a SQLite file', () => {
  const url = (): string => `sqlite:///${join(root, 'a.db')}`;

  it('yields its values as JSON, and takes each kind of value', async () => {
    await database(url(), async ({ query, execute }) => {
      await execute('CREATE TABLE t (i INTEGER, big INTEGER, r REAL, s TEXT, b BLOB, n TEXT)');
      const row = { i: 7, r: 1.5, s: "it's", n: null };
      const sql = "INSERT INTO t VALUES (:i, 9007199254740993, :r, :s, x'00ff', :n)";
      expect(await execute(sql, row)).toEqual({ affected_rows: 1 });
      expect(await query('SELECT * FROM t')).toEqual([{ ...row, big: '9007199254740993', b: 'AP8=' }]);
      expect(await query('SELECT :t = 1 AS truth, :o AS o', { t: true, o: { a: 1 } })).toEqual([
        { truth: 1, o: '{"a":1}' },
      ]);
      expect(await execute('UPDATE t SET i = i RETURNING i')).toEqual({ affected_rows: 1 });
      expect(await query('SELECT 1e999 AS inf')).toEqual([{ inf: 'Infinity' }]);
      expect(JSON.stringify(await query('SELECT 1 AS a, 2 AS "__proto__"'))).toBe('[{"a":1,"__proto__":2}]');
    });
  });

  it('is made by what changes something, and never by what reads', async () => {
    await database(url(), async ({ query, execute }) => {
      expect(await codeOf(query('SELECT 1'))).toBe('SVC87408');
      await execute('CREATE TABLE t (i)');
      expect(await codeOf(query('INSERT INTO t VALUES (1)'))).toBe('SVC87013');
      expect(await query('SELECT * FROM t')).toEqual([]);
      expect(await codeOf(query('SELECT * FROM missing'))).toBe('SVC87013');
      expect(await codeOf(query('SELECT 1 AS a, 2 AS a'))).toBe('SVC82074');
      expect(await codeOf(query('BEGIN'))).toBe('SVC82073');
    });
    await database('sqlite://', async ({ query }) => expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]));
    await database('oracle://x/y', async ({ query }) => expect(await codeOf(query('SELECT 1'))).toBe('SVC82076'));
  });

  it.each([
    "ATTACH 'other.db' AS o",
    "/* */ attach DATABASE 'other.db' AS o",
    "VACUUM INTO 'other.db'",
    "VACUUM main -- \n INTO 'other.db'",
  ])('opens no other file by %j', async (sql) => {
    await database(url(), async ({ execute }) => {
      await execute('CREATE TABLE t (i)');
      const failure = await failureOf(execute(sql));
      expect(failure.message).toContain('ATTACH and VACUUM INTO open other files');
      expect(await execute('VACUUM')).toEqual({ affected_rows: 0 });
      expect(await execute('CREATE TABLE attach_into (i)')).toEqual({ affected_rows: 0 });
      expect(await readdir(root)).toEqual(['a.db']);
    });
  });

  it('ends statements that yield too much, or take too long', async () => {
    const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
    const limited = (database_rows: number): SessionOptions => ({
      settings: { gates: {}, limits: { database_rows } },
    });
    // A fast machine reads the usual 100,000 rows in less time than that.
    await database(
      'sqlite://',
      async ({ unit }) => {
        const call = unit.call('WR_db_query', { connection_url: 'sqlite://', sql: endless, timeout: 0.05 });
        expect(await codeOf(call)).toBe('SVC82077');
      },
      limited(1e9),
    );
    await database(
      'sqlite://',
      async ({ query }) => {
        expect(await codeOf(query(endless))).toBe('SVC82075');
        expect(await query(`${endless} LIMIT 10`)).toHaveLength(10);
      },
      limited(10),
    );
  });

  it('is asserted about: counts, rows, cells', async () => {
    await database(url(), async ({ execute, unit }) => {
      await execute('CREATE TABLE t (i INTEGER, s TEXT)');
      await execute("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
      const check = (name: string, more: object, where = 'true'): Promise<unknown> =>
        unit.call(name, { connection_url: url(), sql: `SELECT * FROM t WHERE ${where} ORDER BY i`, ...more });
      await check('WR_db_assert_count', { expected: 2 });
      expect((await failureOf(check('WR_db_assert_count', { expected: 3 }))).message).toContain('2 rows, not 3');
      await check('WR_db_assert_empty', {}, 'i > 2');
      expect(await codeOf(check('WR_db_assert_empty', {}))).toBe('SVC82079');
      await check('WR_db_assert_exists', {});
      expect(await codeOf(check('WR_db_assert_exists', {}, 'i > 2'))).toBe('SVC82080');
      const cell = { column: 'i', expected: 2, row_index: 1 };
      await check('WR_db_assert_value', cell);
      expect(await codeOf(check('WR_db_assert_value', cell, 'false'))).toBe('SVC82080');
      expect(await codeOf(check('WR_db_assert_value', { ...cell, row_index: 2 }))).toBe('SVC82081');
      expect((await failureOf(check('WR_db_assert_value', { ...cell, column: 'x' }))).message).toContain('i, s');
      expect((await failureOf(check('WR_db_assert_value', { ...cell, column: 'toString' }))).message).toContain('i, s');
      expect(await codeOf(check('WR_db_assert_value', { ...cell, expected: '2' }))).toBe('SVC82083');
    });
  });
});

describe.each([
  { kind: 'PostgreSQL', lacks: lacksServer('postgresql'), start: startPostgres, driver: 'psycopg2' },
  { kind: 'MariaDB', lacks: lacksServer('mariadb-server'), start: startMariadb, driver: 'pymysql' },
])('$kind', ({ kind, lacks, start, driver }) => {
  let server: DatabaseServer;
  let address: string;
  const isPostgres = kind === 'PostgreSQL';
  beforeAll(async () => {
    if (lacks) return;
    server = await start();
    ({ address } = server);
  }, 60_000);
  afterAll(() => server?.[Symbol.asyncDispose]());

  it.skipIf(lacks)('yields its types as JSON', async () => {
    await database(address.replace('://', `+${driver}://`), async ({ query }) => {
      const common = `SELECT 9007199254740993 AS big, 7 AS i, 1.50 AS d, NULL AS n, DATE '2024-02-29' AS day`;
      expect(await query(common)).toEqual([{ big: '9007199254740993', i: 7, d: '1.50', n: null, day: '2024-02-29' }]);
      if (isPostgres)
        expect(
          await query(
            `SELECT count(*) AS c, 'NaN'::float8 AS nan, TIMESTAMPTZ '2024-01-02 03:04:05.6+02' AS tz, TIMESTAMP '2024-01-02 03:04:05' AS ts,
             '\\x00ff'::bytea AS b, ARRAY[1, NULL]::bigint[] AS l, ARRAY['a,b', 'c'] AS t, '{"a": [1]}'::jsonb AS j, INTERVAL '1 day 2 hours' AS iv,
             ARRAY[DATE '2024-01-01'] AS days, true AS yes`,
          ),
        ).toEqual([
          {
            c: 1,
            nan: 'NaN',
            tz: '2024-01-02T01:04:05.6Z',
            ts: '2024-01-02T03:04:05',
            b: 'AP8=',
            l: [1, null],
            t: ['a,b', 'c'],
            j: { a: [1] },
            iv: 'P1DT2H',
            days: ['2024-01-01'],
            yes: true,
          },
        ]);
      else
        expect(
          await query(
            "SELECT count(*) AS c, TIMESTAMP '2024-01-02 03:04:05' AS ts, x'00ff' AS b, b'101' + 0 AS bits, 1.5e0 AS f, TIME '03:04:05' AS t",
          ),
        ).toEqual([{ c: 1, ts: '2024-01-02T03:04:05', b: 'AP8=', bits: 5, f: 1.5, t: '03:04:05' }]);
    });
  });

  it.skipIf(lacks)('binds values, and reads without being able to change anything', async () => {
    await database(address, async ({ query, execute }) => {
      await execute('CREATE TABLE t (id INTEGER, name VARCHAR(40))');
      const hostile = "x'); DROP TABLE t; --";
      const many = 'INSERT INTO t VALUES (:a, :n), (:b, :n), (:c, NULL)';
      expect(await execute(many, { a: 1, b: 2, c: 3, n: hostile })).toEqual({ affected_rows: 3 });
      expect(await query('SELECT id FROM t WHERE name = :n AND id IN (:ids)', { n: hostile, ids: [2, 3] })).toEqual([
        { id: 2 },
      ]);
      expect(await query('SELECT id FROM t ORDER BY id LIMIT :most', { most: 1 })).toEqual([{ id: 1 }]);
      expect(await codeOf(query("INSERT INTO t VALUES (9, 'x')"))).toBe('SVC87013');
      expect(await query('SELECT id FROM t WHERE id = 9')).toEqual([]);
      expect(await codeOf(query('SELECT 1 AS a, 2 AS a'))).toBe('SVC82074');
      expect(await execute('DROP TABLE t')).toEqual({ affected_rows: 0 });
    });
  });

  it.skipIf(lacks)(
    'ends statements that yield too much or take too long; the connection is gone, and nobody waits',
    async () => {
      const limits = { settings: { gates: {}, limits: { database_rows: 10 } } };
      const wide = `WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i FROM n`;
      await database(
        address,
        async ({ query, unit }) => {
          expect(await codeOf(query(wide))).toBe('SVC82075');
          const sleep = isPostgres ? 'SELECT pg_sleep(20)' : 'SELECT sleep(20)';
          const call = unit.call('WR_db_query', { connection_url: address, sql: sleep, timeout: 0.3 });
          const failure = await failureOf(call);
          expect([failure.facts.code, failure.facts.class]).toEqual(['SVC87014', 'environment']);
          const sockets = openSockets();
          const cancelled = unit.step('WR_db_query', { connection_url: address, sql: sleep }, { timeout_s: 0.3 });
          expect((await cancelled).failure?.facts.kinds).toContain('timeout');
          // Nothing is left that would keep a program from ending.
          await expect.poll(openSockets).toBeLessThanOrEqual(sockets);
        },
        limits as SessionOptions,
      );
    },
  );

  it.skipIf(lacks)('yields what does not fit into a number as text, and what is missing as null', async () => {
    await database(address, async ({ query }) => {
      if (isPostgres)
        expect(
          await query(
            `SELECT ARRAY[9007199254740993, NULL]::bigint[] AS bigs, ARRAY[[1, 2], [3, 4]] AS matrix, ARRAY[]::int[] AS none,
             ARRAY[1.10, 12345678901234567890.5]::numeric[] AS exact, (-9007199254740993)::bigint AS low, NULL::bytea AS blob,
             ''::bytea AS empty, DATE 'infinity' AS never, DATE '0044-03-15 BC' AS old, ARRAY['\\x00'::bytea] AS blobs,
             ARRAY[true, NULL]::bool[] AS flags, ARRAY['NULL', NULL, 'a"b']::text[] AS words`,
          ),
        ).toEqual([
          {
            bigs: ['9007199254740993', null],
            matrix: [
              [1, 2],
              [3, 4],
            ],
            none: [],
            exact: ['1.10', '12345678901234567890.5'],
            low: '-9007199254740993',
            blob: null,
            empty: '',
            never: 'infinity',
            old: '0044-03-15 BC',
            blobs: ['AA=='],
            flags: [true, null],
            words: ['NULL', null, 'a"b'],
          },
        ]);
      else
        expect(
          await query(
            `SELECT CAST(18446744073709551615 AS UNSIGNED) AS most, CAST(-9007199254740993 AS SIGNED) AS low,
             CAST('12345678901234567890.50' AS DECIMAL(30, 2)) AS exact, CAST(NULL AS BINARY) AS missing, CAST('' AS BINARY) AS empty,
             DATE '9999-12-31' AS late, b'1111111111111111111111111111111111111111111111111111111111111111' + 0 AS bits`,
          ),
        ).toEqual([
          {
            most: '18446744073709551615',
            low: '-9007199254740993',
            exact: '12345678901234567890.50',
            missing: null,
            empty: '',
            late: '9999-12-31',
            bits: '18446744073709551615',
          },
        ]);
    });
  });

  it.skipIf(lacks)('tells a connection that is lost under way as environment', async () => {
    await using other = await session({ root });
    await database(address, async ({ unit }) => {
      const sleep = isPostgres ? 'SELECT pg_sleep(47)' : 'SELECT sleep(47)';
      // Its own limit is far beyond that of this test.
      const lost = failureOf(unit.call('WR_db_query', { connection_url: address, sql: sleep, timeout: 3600 }));
      const ask = (sql: string): Promise<unknown> => other.call('WR_db_query', { connection_url: address, sql });
      const running = isPostgres
        ? `SELECT pid AS id FROM pg_stat_activity WHERE query LIKE '%pg_sleep(47)%' AND pid <> pg_backend_pid()`
        : `SELECT id FROM information_schema.processlist WHERE info LIKE '%sleep(47)%' AND id <> connection_id()`;
      let found: { readonly id: number }[] = [];
      await expect.poll(async () => (found = (await ask(running)) as typeof found).length, { timeout: 20_000 }).toBe(1);
      const id = found[0]?.id ?? 0;
      if (isPostgres) await ask(`SELECT pg_terminate_backend(${id})`);
      else await other.call('WR_db_execute', { connection_url: address, sql: `KILL ${id}` });
      const { facts } = await lost;
      expect([facts.code, facts.class]).toEqual(['SVC87014', 'environment']);
    });
  });

  it.skipIf(lacks)('tells a lost connection as environment, and never shows the password', async () => {
    const hidden = address.replace('@', ':not%20shown@').replace(/:\d+\//, ':1/');
    await database(hidden, async ({ query, unit }) => {
      const failure = await failureOf(query('SELECT 1'));
      expect([failure.facts.code, failure.facts.class]).toEqual(['SVC87014', 'environment']);
      const records = JSON.stringify(unit.records) + JSON.stringify(unit.events);
      expect(records).not.toContain('not%20shown');
      expect(records).not.toContain('not shown');
    });
  });
});
