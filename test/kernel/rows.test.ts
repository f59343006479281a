import { describe, expect, test } from 'vitest';

import { readRows } from '#runtime/adapters/dataset/read-rows.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { RowSource } from '#schemas/types/plan.ts';

import { node, runCase, variable, type Case, type Ran } from './harness.ts';

async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

async function rows(text: string | Uint8Array, source: Partial<RowSource> = {}): Promise<JsonObject[] | string> {
  const host = memoryHost();
  await host.files.write('/work/data', text);
  try {
    return await collected(readRows({ path: 'data', format: 'csv', ...source }, '/work/data', host));
  } catch (error) {
    return String(error);
  }
}

describe('CSV', () => {
  test('names, quotes, line breaks in quotes, blank lines, a byte-order mark', async () => {
    expect(await rows('\ufeffname,note\nAda,"a ""b"", c\nd"\n\nBob,\r\n')).toEqual([
      { name: 'Ada', note: 'a "b", c\nd' },
      { name: 'Bob', note: '' },
    ]);
  });
  test('another delimiter, a limit, an encoding', async () => {
    expect(await rows('a;b\n1;2\n3;4\n', { delimiter: ';', limit: 1 })).toEqual([{ a: '1', b: '2' }]);
    expect(await rows(Uint8Array.from([0x61, 0x0a, 0xe4, 0x0a]), { encoding: 'latin1' })).toEqual([{ a: 'ä' }]);
  });
  test.each([
    ['UTF_8_sig', '\ufeffa\nä\n', (text: string) => Buffer.from(text)],
    ['utf-16', '\ufeffa\nä\n', (text: string) => Buffer.from(text, 'utf16le')],
    ['utf-16', '\ufeffa\nä\n', (text: string) => Buffer.from(text, 'utf16le').swap16()],
    [
      'utf-32-le',
      'a\nä\n',
      (text: string) => Buffer.concat([...text].map((c) => Buffer.from([c.charCodeAt(0), 0, 0, 0]))),
    ],
    ['ISO-8859-1', 'a\n\u0080\n', (text: string) => Buffer.from(text, 'latin1')],
    ['cp1252', 'a\n€\n', () => Buffer.from([0x61, 0x0a, 0x80, 0x0a])],
    ['cp866', 'a\nд\n', () => Buffer.from([0x61, 0x0a, 0xa4, 0x0a])],
  ] as const)('the encoding %s is that of commands that read text', async (encoding, text, bytes) => {
    expect(await rows(Uint8Array.from(bytes(text)), { encoding })).toEqual([
      { a: text.replace('\ufeff', '').split('\n')[1] },
    ]);
  });
  test('a column may be called like what every object has', async () => {
    const [row] = (await rows('__proto__,constructor,a\nx,y,z\n')) as readonly JsonObject[];
    expect(Object.entries(row ?? {})).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['a', 'z'],
    ]);
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
  });
  test.each([
    ['a,b\n1\n', 'line 2: 1 cells where 2 columns are named.'],
    ['a,b\n1,2\n1,2,3\n', 'line 3: 3 cells where 2 columns are named.'],
    ['a,a\n1,2\n', 'the column "a" stands twice in its first line.'],
    ['a\n"x\n', 'a quote is never closed.'],
    ['a,b\n', 'it has no rows.'],
    ['', 'it has no rows.'],
  ])('%j', async (text, reason) => {
    expect(await rows(text)).toContain(reason);
  });
  test('bytes that do not fit, an encoding that is none, a file that is not there', async () => {
    expect(await rows(Uint8Array.from([0x61, 0x0a, 0xe4, 0x0a]))).toContain('its bytes are not utf-8.');
    expect(await rows('a\n1', { encoding: 'klingon' })).toContain('there is no encoding "klingon".');
    await expect(collected(readRows({ path: 'x', format: 'csv' }, '/work/x', memoryHost()))).rejects.toThrow(
      'The dataset "x" cannot be read: ENOENT',
    );
  });
});

describe('JSON', () => {
  test('a list, and lines', async () => {
    expect(await rows('[{"a":1},{"a":[2]}]', { format: 'json' })).toEqual([{ a: 1 }, { a: [2] }]);
    expect(await rows('{"a":1}\r\n\n{"a":2}', { format: 'jsonl' })).toEqual([{ a: 1 }, { a: 2 }]);
  });
  test('what is no list of objects', async () => {
    expect(await rows('{"a":1}', { format: 'json' })).toContain('it is not a list.');
    expect(await rows('[1]', { format: 'json' })).toContain('Row 1 of the dataset "data" is a number, not an object.');
    expect(await rows('{"a":1}\n{', { format: 'jsonl' })).toContain('line 2: ');
    expect(await rows('[]', { format: 'json' })).toContain('it has no rows.');
  });
});

describe('a dataset run', () => {
  const dataset = (text: string, test: Case): Promise<Ran> =>
    runCase({
      ...test,
      parts: { rows: () => readRows },
      files: { '/work/data.csv': text, ...test.files },
      unit: { rows: { path: 'data.csv', format: 'csv' }, ...test.unit },
    });
  const column = (name: string): { value: { ref: { ns: 'ROW'; name: string } } } => ({
    value: { ref: { ns: 'ROW', name } },
  });

  test('runs the body once a row, each from the state after setup; setup and teardown once', async () => {
    const { lines, records } = await dataset('name\nAda\nBob\n', {
      unit: {
        setup: [node('s', 'SET', { name: 'x', value: 'setup' })],
        body: [
          node('0', 'GET', { value: { text: [variable('x'), ' ', { ns: 'ROW', name: 'name' }] } }),
          node('1', 'SET', { name: 'x', value: 'row' }),
        ],
        teardown: [node('t', 'GET', { value: 1 })],
      },
    });
    expect(lines).toEqual([
      'a.yaml#s passed',
      'a.yaml#0 row 1 passed',
      'a.yaml#1 row 1 passed',
      'a.yaml#0 row 2 passed',
      'a.yaml#1 row 2 passed',
      'a.yaml#t passed',
    ]);
    expect(records.filter(({ id }) => id === 'a.yaml#0').map(({ result }) => result)).toEqual([
      'setup Ada',
      'setup Bob',
    ]);
  });

  test('a stop ends its row, later rows still run', async () => {
    const { lines } = await dataset('n\n1\n2\n', {
      commands: {
        ODD: ({ value }) => {
          if (value === '1') throw new Error('odd');
        },
      },
      unit: {
        order: { kind: 'list', on_failure: 'stop' },
        body: [node('0', 'ODD', column('n')), node('1', 'GET', column('n'))],
      },
    });
    expect(lines).toEqual([
      'a.yaml#0 row 1 failed',
      'a.yaml#1 row 1 skipped: "a.yaml#0" failed, and a failure ends this body',
      'a.yaml#0 row 2 passed',
      'a.yaml#1 row 2 passed',
    ]);
  });

  test('--fail-fast: later rows do not', async () => {
    const { lines } = await dataset('n\n1\n2\n', { options: { failFast: true }, body: [node('0', 'FAIL')] });
    expect(lines).toEqual([
      'a.yaml#0 row 1 failed',
      'a.yaml#0 row 2 skipped: another step failed, and the run ends at the first failure',
    ]);
  });

  test('the time of the body is that of one row', async () => {
    const { lines } = await dataset('n\n1\n2\n', { unit: { timeout_s: 10, body: [node('0', 'SLEEP', { ms: 8000 })] } });
    expect(lines).toEqual(['a.yaml#0 row 1 passed', 'a.yaml#0 row 2 passed']);
  });

  test('a column that a row lacks fails the step', async () => {
    const { of } = await dataset('n\n1\n', { body: [node('0', 'GET', column('m'))] });
    expect(of('a.yaml#0').error?.message).toBe('Row 1 has no column "m".');
  });

  test('a dataset that the setup makes; one that cannot be read fails the unit, and its steps are skipped with the reason', async () => {
    const commands = {
      WRITE: (
        { path, text }: { path?: never; text?: never },
        ctx: { files: { write(path: string, text: string): Promise<void> } },
      ) => ctx.files.write(String(path), String(text)),
    };
    const made = await dataset('', {
      commands,
      unit: {
        setup: [node('s', 'WRITE', { path: '/work/data.csv', text: 'n\n7\n' })],
        body: [node('0', 'GET', column('n'))],
      },
    });
    expect(made.of('a.yaml#0').result).toBe('7');
    const broken = await dataset('n\n', {
      unit: { body: [node('0', 'GET', column('n'))], teardown: [node('t', 'GET', { value: 1 })] },
    });
    expect(broken.lines).toEqual([
      'a.yaml#0 skipped: The dataset "data.csv" cannot be read: it has no rows.',
      'a.yaml#t passed',
    ]);
    expect(broken.outcome).toMatchObject({
      status: 'failed',
      files: [{ status: 'failed', reason: 'The dataset "data.csv" cannot be read: it has no rows.' }],
    });
  });

  test('a port that cannot go back: further rows are skipped with the reason, and the file fails', async () => {
    let count = 0;
    const { lines, outcome } = await dataset('n\n1\n2\n3\n', {
      commands: { OPEN: { needs: ['odd'], does: () => null } },
      program: {
        ports: {
          odd: () =>
            Promise.resolve({
              open: (context: PortContext) => {
                context.eachRow(() => () => {
                  if (++count === 1) throw new Error('it is stuck');
                });
                return {};
              },
            }),
        } as never,
      },
      unit: { body: [node('0', 'OPEN')], teardown: [node('t', 'GET', { value: 1 })] },
    });
    const reason = 'The state after setup could not be brought back for the next row of the dataset: odd: it is stuck.';
    expect(lines).toEqual([
      'a.yaml#0 row 1 passed',
      `a.yaml#0 row 2 skipped: ${reason}`,
      'a.yaml#0 row 3 passed',
      'a.yaml#t passed',
    ]);
    expect(outcome).toMatchObject({ status: 'failed', files: [{ reason }] });
  });

  test('a job of a row is stopped before the next one, that of the last row lives on', async () => {
    const told: string[] = [];
    await dataset('n\n1\n2\n', {
      commands: {
        JOB: { needs: ['jobs'], does: (_, ctx) => (ctx as unknown as { jobs: () => void }).jobs() },
      },
      options: { once: true },
      program: {
        ports: {
          jobs: () =>
            Promise.resolve({
              open: (context: PortContext) => () => {
                const name = `job ${told.length}`;
                told.push(`${name} began`);
                const { promise: done, resolve } = Promise.withResolvers<void>();
                context.keep({
                  name,
                  done,
                  stop: () => {
                    told.push(`${name} stopped`);
                    resolve();
                  },
                });
              },
            }),
        } as never,
      },
      unit: {
        setup: [node('s', 'JOB')],
        body: [node('0', 'JOB')],
      },
    });
    expect(told).toEqual([
      'job 0 began',
      'job 1 began',
      'job 1 stopped',
      'job 3 began',
      'job 3 stopped',
      'job 0 stopped',
    ]);
  });
});
