import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDuck, type Duck } from './duckdb.ts';
import { parquetCalls, type Row } from './parquet-calls.ts';

const { path, write, read } = parquetCalls();

describe('DuckDB', () => {
  let duck: Duck | undefined;
  beforeAll(async () => {
    duck = await openDuck();
  });
  afterAll(() => duck?.[Symbol.dispose]());

  it('reads what is written here', async ({ skip }) => {
    if (!duck) return skip();
    const records = [
      {
        i: 9007199254740991,
        big: '9223372036854775807',
        d: 0.1,
        t: 'ü€😀',
        b: true,
        day: '2024-02-29',
        at: '2024-02-29T22:59:59.123456Z',
        wall: '2024-02-29T22:59:59.5',
        money: '-12.30',
        huge: '12345678901234567890123456.78',
        bytes: 'AP+A',
        any: { a: 1 },
        list: [1, null],
        lists: [['x'], [], null],
        s: { x: 1, y: { z: 'q' } },
      },
      { i: null, list: null, lists: null, s: null },
      { list: [], lists: [], s: { x: null, y: null } },
    ];
    const types = {
      big: 'integer',
      day: 'date',
      at: 'timestamp',
      wall: 'local-timestamp',
      money: 'decimal(9,2)',
      huge: 'decimal(38,2)',
      bytes: 'binary',
      any: 'json',
    };
    for (const compression of ['none', 'snappy', 'gzip', 'zstd', 'brotli']) {
      await write(records, { types, compression });
      const schema = await duck.rows(`DESCRIBE SELECT * FROM read_parquet('${path()}')`);
      expect(Object.fromEntries(schema.map((row) => [row['column_name'], row['column_type']]))).toEqual({
        i: 'BIGINT',
        big: 'BIGINT',
        d: 'DOUBLE',
        t: 'VARCHAR',
        b: 'BOOLEAN',
        day: 'DATE',
        at: 'TIMESTAMP WITH TIME ZONE',
        wall: 'TIMESTAMP',
        money: 'DECIMAL(9,2)',
        huge: 'DECIMAL(38,2)',
        bytes: 'BLOB',
        any: 'JSON',
        list: 'BIGINT[]',
        lists: 'VARCHAR[][]',
        s: 'STRUCT(x BIGINT, y STRUCT(z VARCHAR))',
      });
      const none = {
        i: null,
        big: null,
        d: null,
        t: null,
        b: null,
        day: null,
        at: null,
        wall: null,
        money: null,
        huge: null,
        bytes: null,
        any: null,
        list: null,
        lists: null,
        s: null,
      };
      expect(
        await duck.rows(
          `SELECT * REPLACE (hex(bytes) AS bytes, "any"::VARCHAR AS "any") FROM read_parquet('${path()}')`,
        ),
      ).toEqual([
        {
          i: '9007199254740991',
          big: '9223372036854775807',
          d: 0.1,
          t: 'ü€😀',
          b: true,
          day: '2024-02-29',
          at: '2024-02-29 22:59:59.123456+00',
          wall: '2024-02-29 22:59:59.5',
          money: '-12.30',
          huge: '12345678901234567890123456.78',
          bytes: '00FF80',
          any: '{"a":1}',
          list: ['1', null],
          lists: [['x'], [], null],
          s: { x: '1', y: { z: 'q' } },
        },
        none,
        { ...none, list: [], lists: [], s: { x: null, y: null } },
      ]);
    }
  });

  it('reads any nesting that is written here, and writes it back for us', async ({ skip }) => {
    const other = duck;
    if (!other) return skip();
    const text = fc.string({ unit: 'grapheme', maxLength: 5 });
    const struct = fc.record({
      x: fc.option(fc.boolean()),
      y: fc.option(
        fc.array(
          fc.option(fc.record({ z: fc.option(text), w: fc.option(fc.array(fc.option(text), { maxLength: 2 })) })),
          { maxLength: 3 },
        ),
      ),
    });
    const record = fc.record({
      l: fc.option(fc.array(fc.option(fc.array(fc.option(text), { maxLength: 3 })), { maxLength: 3 })),
      s: fc.option(struct),
    });
    // One full record first, so that every column has its type.
    const full = { l: [['x']], s: { x: true, y: [{ z: 'z', w: ['w'] }] } };
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 12 }), async (records) => {
        const plain = JSON.parse(JSON.stringify([full, ...records])) as readonly Row[];
        await write(plain);
        expect(await other.rows(`SELECT * FROM read_parquet('${path()}')`)).toEqual(plain);
        await other.run(`COPY (SELECT * FROM read_parquet('${path()}')) TO '${path('back')}' (FORMAT parquet)`);
        expect(await read({ path: path('back') })).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });

  it('finds by the statistics that are written here, in the order of bytes', async ({ skip }) => {
    if (!duck) return skip();
    // U+FFFD stands behind U+1F600 where texts are compared by their UTF-16 units, and before it by their bytes.
    await write([
      { t: '\ufffd', n: -5 },
      { t: '😀', n: 7 },
      { t: 'a', n: null },
    ]);
    for (const value of ['\ufffd', '😀', 'a'])
      expect(await duck.rows(`SELECT count(*) AS n FROM read_parquet('${path()}') WHERE t = '${value}'`)).toEqual([
        { n: '1' },
      ]);
    expect(await duck.rows(`SELECT count(*) AS n FROM read_parquet('${path()}') WHERE n < 0`)).toEqual([{ n: '1' }]);
  });

  it.each(['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw'])(
    'writes what is read here, packed with %s',
    async (codec) => {
      if (!duck) return;
      for (const version of ['V1', 'V2']) {
        await duck.run(`COPY (
        SELECT r::INT AS r, 9007199254740993::BIGINT AS big, 18446744073709551615::UBIGINT AS ubig, 4294967295::UINTEGER AS uint, (-7)::TINYINT AS tiny, 0.1::FLOAT AS f, 'NaN'::DOUBLE AS nan,
          '12.34'::DECIMAL(4,2) AS d4, '-123456789012.345'::DECIMAL(18,3) AS d18, '12345678901234567890123456789012345.678'::DECIMAL(38,3) AS d38,
          DATE '1600-02-29' AS day, TIME '03:04:05.123456' AS t, TIMESTAMP '1969-12-31 23:59:59.123456' AS wall, TIMESTAMPTZ '2024-01-02 03:04:05.123456+00' AS at, '2024-01-02 03:04:05.123456789'::TIMESTAMP_NS AS ns, '2024-01-02 03:04:05.123'::TIMESTAMP_MS AS ms,
          INTERVAL '14 months 3 days 1500 milliseconds' AS span, 'b0a1c2d3-0000-4000-8000-000000000001'::UUID AS id, 'text ' || (r % 3) AS dict, '\\x00\\xFF'::BLOB AS blob, '{"a": 1}'::JSON AS j,
          CASE WHEN r % 2 = 0 THEN [[1, NULL], NULL, []] END AS l, {'p': r, 'q': [{'z': 'x'}, NULL]} AS s, MAP {'k': 7, 'l': NULL} AS m, MAP {DATE '2024-01-02': ['x']} AS dm, NULL::INT AS nothing
        FROM range(1000) t(r)) TO '${path()}' (FORMAT parquet, CODEC '${codec}', PARQUET_VERSION ${version}, ROW_GROUP_SIZE 500)`);
        const rows = await read();
        expect(rows.length).toBe(1000);
        const fixed = {
          big: '9007199254740993',
          ubig: '18446744073709551615',
          uint: 4294967295,
          tiny: -7,
          f: Math.fround(0.1),
          nan: 'NaN',
          d4: '12.34',
          d18: '-123456789012.345',
          d38: '12345678901234567890123456789012345.678',
          day: '1600-02-29',
          t: '03:04:05.123456',
          wall: '1969-12-31T23:59:59.123456',
          at: '2024-01-02T03:04:05.123456Z',
          ns: '2024-01-02T03:04:05.123456789',
          ms: '2024-01-02T03:04:05.123',
          span: 'P14M3DT1.5S',
          id: 'b0a1c2d3-0000-4000-8000-000000000001',
          blob: 'AP8=',
          j: '{"a": 1}',
          m: { k: 7, l: null },
          dm: { '2024-01-02': ['x'] },
          nothing: null,
        };
        for (const index of [0, 1, 499, 500, 999])
          expect(rows[index]).toEqual({
            r: index,
            ...fixed,
            dict: `text ${index % 3}`,
            l: index % 2 === 0 ? [[1, null], null, []] : null,
            s: { p: index, q: [{ z: 'x' }, null] },
          });
      }
    },
  );
});
