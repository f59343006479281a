import { mkdir, readFile, readdir, stat, truncate, writeFile } from 'node:fs/promises';

import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';

import { failureOf } from '../../call.ts';
import { session, type Session } from '../../session.ts';
import { parquetCalls, type Row } from './parquet-calls.ts';

const { place, path, write, read } = parquetCalls();
const facts = async (work: Promise<unknown>): Promise<{ code: string; name: string; message: string }> =>
  (await failureOf(work)).facts;

describe('what was written', () => {
  it.each(['none', 'snappy', 'gzip', 'zstd', 'brotli'])('comes back, packed with %s', async (compression) => {
    const records = Array.from({ length: 3000 }, (_one, index) => ({
      id: index,
      name: `name ${index % 7} ü€😀`,
      share: index / 7,
      even: index % 2 === 0,
      maybe: index % 3 === 0 ? null : 'x',
    }));
    expect(await write(records, { compression })).toBe(3000);
    expect(await read()).toEqual(records);
  });

  it('keeps numbers exact', async () => {
    const records = [0, -0, 0.1, 1e300, -1e-300, 5e-324, 2 ** 53, Number.MAX_SAFE_INTEGER].map((value) => ({ value }));
    await write(records);
    expect(await read()).toEqual(records);
    await write([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0].map((value) => ({ value })));
    expect(await read()).toEqual([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0].map((value) => ({ value })));
    await write(
      ['9223372036854775807', '-9223372036854775808', '9007199254740993', 5].map((value) => ({ value })),
      { types: { value: 'integer' } },
    );
    expect((await read()).map(({ value }) => value)).toEqual([
      '9223372036854775807',
      '-9223372036854775808',
      '9007199254740993',
      5,
    ]);
    await write(
      ['NaN', 'Infinity', '-Infinity', 1.5].map((value) => ({ value })),
      { types: { value: 'number' } },
    );
    expect((await read()).map(({ value }) => value)).toEqual(['NaN', 'Infinity', '-Infinity', 1.5]);
  });

  it('keeps dates, moments, decimals, bytes and JSON', async () => {
    const types = {
      day: 'date',
      at: 'timestamp',
      wall: 'local-timestamp',
      small: 'decimal(4,2)',
      large: 'decimal(38,10)',
      bytes: 'binary',
      any: 'json',
    };
    const given = {
      day: '2024-02-29',
      at: '2024-02-29T23:59:59.123456+01:00',
      wall: '1969-12-31T23:59:59.999999',
      small: '-12.3',
      large: '1234567890123456789012345678.0123456789',
      bytes: 'AP+A',
      any: { a: [1, null] },
    };
    const kept = { ...given, at: '2024-02-29T22:59:59.123456Z', small: '-12.30', any: '{"a":[1,null]}' };
    const none = Object.fromEntries(Object.keys(types).map((name) => [name, null]));
    await write([given, {}, { day: '-000044-03-15', at: '1582-10-15T00:00:00Z', large: -0.5, small: 12 }], { types });
    expect(await read()).toEqual([
      kept,
      none,
      { ...none, day: '-000044-03-15', at: '1582-10-15T00:00:00.000000Z', large: '-0.5000000000', small: '12.00' },
    ]);
  });

  it('takes numbers for decimals however they are written', async () => {
    await write(
      [1e-7, -2.5e-9, 1e21, -1.25e22, 5].map((d) => ({ d })),
      { types: { d: 'decimal(38,10)' } },
    );
    expect((await read()).map(({ d }) => d)).toEqual([
      '0.0000001000',
      '-0.0000000025',
      '1000000000000000000000.0000000000',
      '-12500000000000000000000.0000000000',
      '5.0000000000',
    ]);
    expect(await facts(write([{ d: 1e-7 }], { types: { d: 'decimal(9,6)' } }))).toMatchObject({ code: 'SVC88017' });
  });

  it('keeps what is nested', async () => {
    const records = [
      {
        list: [1, 2, null],
        lists: [[1], [], null, [2, 3]],
        struct: { a: 'x', b: { c: true } },
        structs: [{ k: 1 }, null, { k: null }],
        empty: [],
        nothing: {},
      },
      { list: null, lists: null, struct: null, structs: null, empty: null, nothing: null },
      { list: [], lists: [], struct: { a: null, b: null }, structs: [], empty: [], nothing: {} },
      {
        list: [null],
        lists: [null],
        struct: { a: 'y', b: { c: null } },
        structs: [null],
        empty: [null],
        nothing: null,
      },
    ];
    await write(records);
    expect(await read()).toEqual(
      records.map(({ nothing, ...rest }) => ({ ...rest, nothing: nothing === null ? null : '{}' })),
    );
  });

  it('has the columns of all records, and those that only `types` names', async () => {
    await write([{ b: 1 }, { a: 'x', 'odd. name': true, constructor: 2 }], { types: { later: 'date' } });
    expect(await read()).toEqual([
      { b: 1, a: null, 'odd. name': null, constructor: null, later: null },
      { b: null, a: 'x', 'odd. name': true, constructor: 2, later: null },
    ]);
    await write([], { types: { one: 'text' } });
    expect(await read()).toEqual([]);
    expect(await read({ columns: ['one'] })).toEqual([]);
  });

  it('is the same again for any records of one shape', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 8 });
    const record = fc.record({
      t: fc.option(text),
      i: fc.option(fc.maxSafeInteger()),
      d: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      b: fc.option(fc.boolean()),
      l: fc.option(fc.array(fc.option(fc.array(fc.option(text), { maxLength: 3 })), { maxLength: 4 })),
      s: fc.option(
        fc.record({
          x: fc.option(fc.maxSafeInteger()),
          y: fc.option(fc.array(fc.record({ z: fc.option(text) }), { maxLength: 3 })),
        }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 12 }), async (records) => {
        // A double that is whole would be an integer where all of them are.
        await write(records, { types: { d: 'number' } });
        const back = await read();
        const shaped = JSON.parse(JSON.stringify(records)) as typeof records;
        const isKnown = (name: 's' | 'l'): boolean => records.some((one) => one[name] !== null);
        expect(isKnown('s') ? back : back.map((one) => ({ ...one, s: null }))).toEqual(
          shaped.map((one, index) => ({ ...one, d: records[index]?.d ?? null })),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('reading', () => {
  it('stops at the limit, begins at the offset, and gives the columns that are asked for', async () => {
    await write(Array.from({ length: 50_010 }, (_one, index) => ({ id: index, text: String(index) })));
    expect(await read({ limit: 2 })).toEqual([
      { id: 0, text: '0' },
      { id: 1, text: '1' },
    ]);
    expect(await read({ limit: 0 })).toEqual([]);
    expect(await read({ offset: 49_999, limit: 2, columns: ['text'] })).toEqual([{ text: '49999' }, { text: '50000' }]);
    expect((await read({ offset: 50_009, limit: 10 })).length).toBe(1);
    expect(await read({ offset: 500_000 })).toEqual([]);
    expect(Object.keys((await read({ limit: 1, columns: ['text', 'id'] }))[0] ?? {})).toEqual(['text', 'id']);
    expect(await facts(read({ columns: ['id', 'none'] }))).toMatchObject({
      code: 'SVC88015',
      name: 'DataOpsException',
    });
  });
});

describe('a file that cannot be read', () => {
  it.each([
    ['empty', ''],
    ['text', 'a,b\n1,2\n'],
    ['only its marks', 'PAR1\0\0\0\0PAR1'],
    ['encrypted', 'PARExxxxxxxxxxxxPARE'],
    ['a footer that is too long', 'PAR1\xff\xff\xff\x7fPAR1'],
  ])('is told: %s', async (_what, content) => {
    await writeFile(path(), Buffer.from(content, 'latin1'));
    expect(await facts(read())).toMatchObject({ code: 'SVC88014', name: 'DataOpsException' });
  });

  it('is told where it is missing or a folder', async () => {
    expect(await facts(read())).toMatchObject({ code: 'SVC85000', name: 'FileNotExistsException' });
    await mkdir(path());
    expect(await facts(read())).toMatchObject({ code: 'SVC85000' });
  });

  it('is told where it is cut short, or any of its bytes is another, and never hangs', async () => {
    await write(
      Array.from({ length: 50 }, (_one, index) => ({ id: index, text: `text ${index % 5}`, list: [index, null] })),
      { compression: 'none' },
    );
    const whole = await readFile(path());
    await truncate(path(), whole.length - 20);
    expect(await facts(read())).toMatchObject({ code: 'SVC88014' });
    // What has made readers run in circles or take all memory: sizes below zero, and runs of billions of values.
    for (let at = 0; at < whole.length; at += 3) {
      const changed = Buffer.from(whole);
      changed.set(
        [[0xff], [0x7f], [0xff, 0xff, 0xff, 0xff, 0x0f], [0x01]][at % 4] ?? [],
        Math.min(at, whole.length - 5),
      );
      await writeFile(path(), changed);
      const ended = await place.unit.step('FA_parquet_read', { path: path() });
      expect([undefined, 'SVC88014', 'SVC88019'], `byte ${at}: ${ended.failure?.facts.message}`).toContain(
        ended.failure?.facts.code,
      );
    }
  });

  it('is refused where a group says that it has more rows than fit', async () => {
    await write(Array.from({ length: 50 }, (_one, index) => ({ id: index })));
    await using small = await session({ settings: { limits: { parquet_rows: 49 } } });
    expect(await facts(small.call('FA_parquet_read', { path: path() }))).toMatchObject({ code: 'SVC88019' });
  });
});

describe('a small file that stands for very much', () => {
  const few = (bytes: number): Promise<Session> => session({ settings: { limits: { parquet_bytes: bytes } } });

  it('by texts that share their beginnings is refused before they are written out', async () => {
    const start = 'x'.repeat(50_000);
    const texts = Array.from({ length: 400 }, (_, index) => (index % 9 === 8 ? null : `${start}${index}`));
    await writeFile(
      path(),
      Buffer.from(
        parquetWriteBuffer({
          columnData: [{ name: 't', data: texts, type: 'STRING', encoding: 'DELTA_BYTE_ARRAY', nullable: true }],
        }),
      ),
    );
    expect((await stat(path())).size).toBeLessThan(100_000);
    expect((await read()).map(({ t }) => t)).toEqual(texts);
    await using small = await few(10_000_000);
    const failed = await facts(small.call('FA_parquet_read', { path: path() }));
    expect([failed.code, failed.message]).toEqual(['SVC88014', expect.stringContaining('limits.parquet_bytes')]);
  });

  it('by pages that unpack to more than fits is refused before they are unpacked', async () => {
    await write(
      Array.from({ length: 100 }, (_, index) => ({ t: `${'x'.repeat(100_000)}${index}` })),
      { compression: 'zstd' },
    );
    await using small = await few(5_000_000);
    expect((await facts(small.call('FA_parquet_read', { path: path() }))).message).toContain('limits.parquet_bytes');
    expect((await read()).length).toBe(100);
  });

  it('by a long text in a dictionary has that text once', async () => {
    const long = 'y'.repeat(1_000_000);
    await writeFile(
      path(),
      Buffer.from(
        parquetWriteBuffer({
          columnData: [{ name: 't', data: Array.from({ length: 20_000 }, () => long), type: 'STRING' }],
        }),
      ),
    );
    const rows = await read();
    expect(rows.length).toBe(20_000);
    expect([rows[0]?.['t'] === long, rows.every(({ t }) => t === rows[0]?.['t'])]).toEqual([true, true]);
  });
});

it('reads few columns of a very wide file without going through all others for each', async () => {
  await write([Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`c${index}`, index]))]);
  expect(await read({ columns: ['c5999', 'c7'] })).toEqual([{ c5999: 5999, c7: 7 }]);
});

describe('records that make no file', () => {
  it.each([
    [[{ a: 1 }, { a: null }, { a: 'x' }], 'Row 3 of the column "a" holds text, and an earlier row a number.'],
    [[{ a: true }, { a: 1 }], 'Row 2 of the column "a" holds a number, and an earlier row a truth value.'],
    [[{ a: [1, 'x'] }], 'Row 1 of the column "a" holds text, and an earlier row a number.'],
    [[{ a: [1] }, { a: { b: 1 } }], 'Row 2 of the column "a" holds an object, and an earlier row a list.'],
    [[{ a: { b: 1 } }, { a: { b: [] } }], 'Row 2 of the column "a" holds a list, and an earlier row a number.'],
  ])('mix types: %j', async (records, message) => {
    expect(await facts(write(records))).toMatchObject({ code: 'SVC88016', name: 'DataOpsException', message });
    expect(await readdir(place.root)).toEqual([]);
  });

  it.each([
    ['date', '2024-02-30'],
    ['date', '2024-1-1'],
    ['date', 5],
    ['timestamp', '2024-01-01T00:00:00'],
    ['timestamp', '2024-01-01T00:00:00.1234567Z'],
    ['timestamp', '2024-01-01T24:00:00Z'],
    ['local-timestamp', '2024-01-01T00:00:00Z'],
    ['decimal(4,2)', '123.45'],
    ['decimal(4,2)', '1.234'],
    ['decimal(4,2)', '1e1'],
    ['integer', '9223372036854775808'],
    ['integer', 1.5],
    ['integer', '1.0'],
    ['binary', 'a'],
    ['text', 5],
    ['text', '\ud800'],
    ['boolean', 'true'],
    ['number', '1'],
  ])('hold no %s: %j', async (type, value) => {
    expect(await facts(write([{ a: null }, { a: value }], { types: { a: type } }))).toMatchObject({ code: 'SVC88017' });
    expect(await readdir(place.root)).toEqual([]);
  });

  it('have no columns', async () => {
    expect(await facts(write([]))).toMatchObject({ code: 'SVC88018' });
    expect(await facts(write([{}, {}]))).toMatchObject({ code: 'SVC88018' });
  });
});

describe('from CSV', () => {
  const convert = (csv: string | Buffer, params: Row = {}): Promise<unknown> =>
    writeFile(path('a.csv'), csv).then(() =>
      place.unit.call('FA_csv_to_parquet', {
        csv_path: path('a.csv'),
        parquet_path: path('out/file.parquet'),
        ...params,
      }),
    );
  const back = async (): Promise<readonly Row[]> =>
    (await place.unit.call('FA_parquet_read', { path: path('out/file.parquet') })) as readonly Row[];

  it('every cell is text, and missing ones are null', async () => {
    expect(await convert('\ufeffid,name,"odd, name"\n1,007,x\n2,\n\n3,"a\n""b""",\n')).toBe(3);
    expect(await back()).toEqual([
      { id: '1', name: '007', 'odd, name': 'x' },
      { id: '2', name: '', 'odd, name': null },
      { id: '3', name: 'a\n"b"', 'odd, name': '' },
    ]);
  });

  it('takes other separators and encodings', async () => {
    await convert(Buffer.from('stra\xdfe;n\r\n\xfc;1\r\n', 'latin1'), {
      delimiter: ';',
      encoding: 'latin-1',
      compression: 'zstd',
    });
    expect(await back()).toEqual([{ straße: 'ü', n: '1' }]);
  });

  it('keeps the columns where there are no rows', async () => {
    expect(await convert('a,b\n')).toBe(0);
    expect(await back()).toEqual([]);
  });

  it('leaves nothing where a row is wrong', async () => {
    expect(await facts(convert('a,b\n1,2,3\n'))).toMatchObject({ code: 'SVC85080' });
    expect(await readdir(place.root)).toEqual(['a.csv', 'out']);
    expect(await readdir(path('out'))).toEqual([]);
  });
});
