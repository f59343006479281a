import { execFileSync } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_csv_filter, FA_csv_read, FA_csv_to_jsonl, FA_csv_write } from '#stdlib/files/formats/csv/csv.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

interface Options {
  readonly columns?: string[];
  readonly where?: readonly [string | null, string | null];
  readonly limit?: number;
  readonly delimiter?: string;
  readonly encoding?: string;
}
const put = (content: string | Uint8Array): Promise<void> => writeFile(place.path('in.csv'), content);
const text = (name: string): Promise<string> => readFile(place.path(name), 'utf8');
const read = ({ limit, delimiter = ',', encoding = 'utf-8' }: Options = {}): Promise<
  readonly Record<string, string | null>[]
> => call(FA_csv_read, place, { path: place.path('in.csv'), limit: limit ?? null, delimiter, encoding });
const filter = (
  { columns, where = [null, null], delimiter = ',', encoding = 'utf-8' }: Options = {},
  target = 'out.csv',
): Promise<unknown> =>
  call(FA_csv_filter, place, {
    src: place.path('in.csv'),
    target: place.path(target),
    columns: columns ?? null,
    where_column: where[0],
    where_equals: where[1],
    delimiter,
    encoding,
  });
const toJsonl = ({ delimiter = ',', encoding = 'utf-8' }: Options = {}): Promise<unknown> =>
  call(FA_csv_to_jsonl, place, { src: place.path('in.csv'), target: place.path('out.jsonl'), delimiter, encoding });
const write = (
  records: Record<string, unknown>[],
  { columns, delimiter = ',', encoding = 'utf-8' }: Options = {},
  guard_formulas = false,
): Promise<unknown> =>
  call(FA_csv_write, place, {
    path: place.path('in.csv'),
    records,
    columns: columns ?? null,
    delimiter,
    encoding,
    guard_formulas,
  });

/** Runs Python with its csv module; `rows` are what its reader or writer gets. */
const python = (script: string, input = ''): string =>
  execFileSync('python3', ['-c', script], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 27,
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  });

const hard = [
  ['name', 'a,b', 'with "quotes"', ''],
  ['line\nfeed', 'cr\rlf\r\n', ' blanks ', '=1+1'],
  ['"', '""', ',', '😀 ü'],
  ['', '', '', ''],
];

describe('FA_csv_read', () => {
  it.each(['', 'x', 'ü'])('parts no character of long cells that begin with %j', async (start) => {
    const cell = `${start}${'😀'.repeat(50_000)}`;
    await put(`a,b\n${cell},1\n"${cell}",2\n`);
    expect(await read()).toEqual([
      { a: cell, b: '1' },
      { a: cell, b: '2' },
    ]);
  });

  it('skips a mark and blank lines, takes every line end, and fills short rows with null', async () => {
    await put('\ufeffa,b\r\n1,"x\r\ny"\n\n2\r3,""');
    expect(await read()).toEqual([
      { a: '1', b: 'x\r\ny' },
      { a: '2', b: null },
      { a: '3', b: '' },
    ]);
    expect(await read({ limit: 1 })).toHaveLength(1);
    expect(await read({ limit: 0 })).toEqual([]);
  });

  it('looks no further than the limit', async () => {
    await put('a\n1\n2\n3,3\n"open');
    expect(await read({ limit: 2 })).toEqual([{ a: '1' }, { a: '2' }]);
    expect(await read({ limit: 0 })).toEqual([]);
    expect((await failureOf(read({ limit: 3 }))).facts.code).toBe('SVC85080');
  });

  it('looks at each name of a wide header once', async () => {
    const names = Array.from({ length: 300_000 }, (_, index) => `c${index}`);
    await put(`${names.join(',')}\n`);
    expect(await filter({ columns: names.toReversed() })).toBe(0);
    await put(`${names.join(',')},c7\n`);
    expect((await failureOf(read())).message).toContain('"c7"');
  });

  it.skipIf(lacks('python3'))('reads what Python writes', async () => {
    await put(
      python(
        'import csv, json, sys\nsys.stdout.reconfigure(newline="")\ncsv.writer(sys.stdout).writerows(json.load(sys.stdin))',
        JSON.stringify([['w', 'x', 'y', 'z'], ...hard]),
      ),
    );
    expect((await read()).map((row) => Object.values(row))).toEqual(hard);
  });

  it('takes other delimiters and encodings, and a name such as __proto__', async () => {
    await put(Buffer.from('__proto__;größe\n1;2\n', 'latin1'));
    const [row] = await read({ delimiter: ';', encoding: 'latin-1' });
    expect(Object.entries(row ?? {})).toEqual([
      ['__proto__', '1'],
      ['größe', '2'],
    ]);
    await put('a\tb\n"1\t2"\t3\n');
    expect(await read({ delimiter: '\t' })).toEqual([{ a: '1\t2', b: '3' }]);
  });

  it.each([
    ['', 'SVC85077'],
    ['\n\n', 'SVC85077'],
    ['a,b,a\n1,2,3\n', 'SVC85078'],
    ['a\n1\n1,2\n', 'SVC85080'],
    ['a\n"1\n', 'SVC85081'],
    ['a\n1"2\n', 'SVC85082'],
    ['a\n"1"2\n', 'SVC85082'],
    [new Uint8Array([0x61, 0x0a, 0xff]), 'SVC85073'],
  ])('%j is refused with %s', async (content, code) => {
    await put(content);
    expect((await failureOf(read())).facts).toMatchObject({ code, name: 'DataOpsException' });
  });

  it('names the row in which a quote stays open, wherever the file ends', async () => {
    await put('a,b\n1,2\n3,"4\n5,6\n7,8\n');
    expect((await failureOf(read())).message).toMatch(/in row 2\.$/);
  });

  it('refuses delimiters that cannot be, an encoding that is none, and a missing file', async () => {
    for (const delimiter of ['"', '\n', '\r'])
      expect((await failureOf(read({ delimiter }))).facts.code).toBe('SVC85084');
    expect((await failureOf(read({ encoding: 'no' }))).facts.code).toBe('SVC85041');
    expect((await failureOf(read())).facts.code).toBe('SVC85000');
  });
});

describe('FA_csv_filter', () => {
  beforeEach(() => put('\ufeffid,name,note\n1,pen,\n2,ink,"a,b"\n3,pen\n4,pen,x,surplus\n5, pen,\n'));

  it('keeps columns in the order that is asked for, and rows that fit exactly', async () => {
    expect(await filter({ columns: ['note', 'id'], where: ['name', 'pen'] })).toBe(3);
    expect(await text('out.csv')).toBe('note,id\r\n,1\r\n,3\r\nx,4\r\n');
    expect(await filter()).toBe(5);
    expect(await text('out.csv')).toBe('id,name,note\r\n1,pen,\r\n2,ink,"a,b"\r\n3,pen,\r\n4,pen,x\r\n5, pen,\r\n');
    expect(await filter({ columns: ['note'], where: ['note', ''] })).toBe(3);
    expect(await text('out.csv')).toBe('note\r\n""\r\n""\r\n""\r\n');
  });

  it('writes the header when no row fits, and makes folders', async () => {
    expect(await filter({ where: ['name', 'none'] }, 'new/folder/out.csv')).toBe(0);
    expect(await text('new/folder/out.csv')).toBe('id,name,note\r\n');
  });

  it('may write onto its input', async () => {
    expect(await filter({ columns: ['id'] }, 'in.csv')).toBe(5);
    expect(await text('in.csv')).toBe('id\r\n1\r\n2\r\n3\r\n4\r\n5\r\n');
  });

  it.each([
    [{ columns: ['price'] }, 'SVC85079'],
    [{ where: ['price', 'x'] as const }, 'SVC85079'],
    [{ where: ['name', null] as const }, 'SVC85083'],
    [{ where: [null, 'pen'] as const }, 'SVC85083'],
  ])('%j is refused with %s, and nothing is made', async (options, code) => {
    expect((await failureOf(filter(options, 'new/out.csv'))).facts).toMatchObject({ code, name: 'DataOpsException' });
    expect(await readdir(place.root)).toEqual(['in.csv']);
  });

  it('leaves the target alone when the input breaks on the way', async () => {
    await writeFile(place.path('out.csv'), 'old');
    await put(`a\n${'x\n'.repeat(200_000)}"open`);
    expect((await failureOf(filter())).facts.code).toBe('SVC85081');
    expect(await text('out.csv')).toBe('old');
    expect((await readdir(place.root)).sort()).toEqual(['in.csv', 'out.csv']);
  });

  it.skipIf(lacks('python3'))('agrees with Python over many rows', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => [
      String(index),
      `k${index % 7}`,
      hard[index % 4]?.[index % 3] ?? '',
    ]);
    await put(
      python(
        'import csv, json, sys\nsys.stdout.reconfigure(newline="")\ncsv.writer(sys.stdout).writerows(json.load(sys.stdin))',
        JSON.stringify([['id', 'key', 'text'], ...rows]),
      ),
    );
    const wanted = rows.filter(([, key]) => key === 'k3').map(([id, , cell]) => [cell, id]);
    expect(await filter({ columns: ['text', 'id'], where: ['key', 'k3'] })).toBe(wanted.length);
    const seen = JSON.parse(
      python(
        `import csv, json\nprint(json.dumps(list(csv.reader(open(${JSON.stringify(place.path('out.csv'))}, newline="", encoding="utf-8")))))`,
      ),
    ) as string[][];
    expect(seen).toEqual([['text', 'id'], ...wanted]);
  });
});

describe('FA_csv_to_jsonl', () => {
  it('writes an object a line, letters as they are', async () => {
    await put('a,b\nü,"x\ny"\n1\n');
    expect(await toJsonl()).toBe(2);
    expect(await text('out.jsonl')).toBe('{"a":"ü","b":"x\\ny"}\n{"a":"1","b":null}\n');
  });

  it('keeps the order of the columns, also of names that are numbers', async () => {
    await put('name,2024,"a""b",2023,__proto__\nx,1,2\n');
    expect(await toJsonl()).toBe(1);
    expect(await text('out.jsonl')).toBe('{"name":"x","2024":"1","a\\"b":"2","2023":null,"__proto__":null}\n');
  });

  it('names the row that is too long, and writes nothing', async () => {
    await put('a,b\n1,2\n\n1,2,3\n');
    const failure = await failureOf(toJsonl());
    expect([failure.facts.code, failure.message]).toEqual(['SVC85080', expect.stringContaining('Row 2 ')]);
    expect(await readdir(place.root)).toEqual(['in.csv']);
  });
});

describe('FA_csv_write', () => {
  it('writes keys as they first stand, nulls as nothing, and the rest as JSON', async () => {
    expect(
      await write([
        { a: 'x', b: null },
        { c: [1, { d: 'q' }], b: true, a: -1.5 },
      ]),
    ).toBe(2);
    expect(await text('in.csv')).toBe('a,b,c\r\nx,,\r\n-1.5,true,"[1,{""d"":""q""}]"\r\n');
  });

  it('takes columns as they are given', async () => {
    await write([{ a: 1, b: 2 }, { b: 3 }], { columns: ['b', 'new'], delimiter: ';' });
    expect(await text('in.csv')).toBe('b;new\r\n2;\r\n3;\r\n');
    await write([], { columns: ['a'] });
    expect(await text('in.csv')).toBe('a\r\n');
    expect(await write([])).toBe(0);
    expect(await text('in.csv')).toBe('');
  });

  it('guards formulas when it is asked to, and never else', async () => {
    const records = [{ a: '=1+1', b: '-2', c: -2, d: '@x', e: 'a=b', f: '+' }];
    await write(records);
    expect(await text('in.csv')).toBe('a,b,c,d,e,f\r\n=1+1,-2,-2,@x,a=b,+\r\n');
    await write(records, {}, true);
    expect(await text('in.csv')).toBe("a,b,c,d,e,f\r\n'=1+1,'-2,-2,'@x,a=b,'+\r\n");
    await write([{ '=a': '\n=1', '@b': '\uff1d1', c: '\t+' }], {}, true);
    expect(await text('in.csv')).toBe("'=a,'@b,c\r\n\"'\n=1\",'\uff1d1,'\t+\r\n");
  });

  it.skipIf(lacks('python3'))('is read by Python as it was written, and by itself', async () => {
    const records = hard.map((cells) => Object.fromEntries(cells.map((cell, index) => [`c${index},"`, cell])));
    await write(records);
    const seen: unknown = JSON.parse(
      python(
        `import csv, json\nprint(json.dumps(list(csv.DictReader(open(${JSON.stringify(place.path('in.csv'))}, newline="", encoding="utf-8")))))`,
      ),
    );
    expect(seen).toEqual(records);
    expect(await read()).toEqual(records);
  });

  it('refuses records without a key, and text that the encoding lacks', async () => {
    await put('old');
    expect((await failureOf(write([{}]))).facts.code).toBe('SVC85085');
    expect((await failureOf(write([{ a: '€' }], { encoding: 'latin-1' }))).facts.code).toBe('SVC85027');
    expect(await text('in.csv')).toBe('old');
  });
});
