import { describe, expect, test } from 'vitest';

import { valueOf as valueOfReference } from '#runtime/kernel/values/fill.ts';
import { Filling, type Surroundings } from '#runtime/kernel/values/surroundings.ts';
import type { Value } from '#schemas/types/plan.ts';
import type { Ref, RefConversion, RefNamespace } from '#schemas/types/reference.ts';

import { node, runCase, variable, type Case, type TestCommands } from './harness.ts';

const ref = (ns: RefNamespace, name = '', more: Partial<Ref> = {}): Ref => ({ ns, name, ...more });

/** The result of a step that yields the value, or the code of its failure. */
async function valueOf(value: Value, test: Case = {}): Promise<unknown> {
  const { of } = await runCase({
    host: { env: { HOME: '/home/ada', PORT: '8080', EMPTY: '' } },
    ...test,
    body: [...(test.body ?? []), node('it', 'GET', { value })],
  });
  const record = of('a.yaml#it');
  return record.error?.code ?? record.result;
}

const set = (name: string, value: unknown): ReturnType<typeof node> =>
  node(`set-${name}`, 'SET', { name, value: value as never });

describe('kinds', () => {
  test('process environment, environment, folders, run', async () => {
    expect(await valueOf({ ref: ref('env', 'HOME') })).toBe('/home/ada');
    expect(await valueOf({ ref: ref('env', 'NONE') })).toBe('SVC80013');
    expect(await valueOf({ ref: ref('env', 'EMPTY', { default: 'x' }) })).toBe('');
    expect(
      await valueOf({ text: [ref('cwd'), ' ', ref('root'), ' ', ref('here')] }, { unit: { source: 'shop/a.yaml' } }),
    ).toBe('/work /work /work/shop');
    expect(await valueOf({ ref: ref('run', 'id') })).toBe('r1');
    expect(await valueOf({ ref: ref('run', 'date:%F') })).toBe('2026-01-02');
  });

  test('`.env.<name>` lies over `.env`, the process over both, beside the file before the root', async () => {
    const files = {
      '/work/.env': 'A=root\nB=root\nPORT=1\n',
      '/work/shop/.env.dev': 'B=dev\n',
      '/work/shop/.env': 'A=beside\nC="two words"\n',
    };
    const unit = { source: 'shop/a.yaml', env: 'dev' };
    expect(
      await valueOf(
        { text: [ref('ENV', 'A'), ' ', ref('ENV', 'B'), ' ', ref('ENV', 'C'), ' ', ref('ENV', 'PORT')] },
        { files, unit },
      ),
    ).toBe('beside dev two words 8080');
    expect(await valueOf({ ref: ref('ENV', 'B') }, { files, unit, options: { environment: { name: 'prod' } } })).toBe(
      'SVC80013',
    );
  });

  test('dates: now at each occurrence, the start of the run, bare is ISO 8601', async () => {
    expect(await valueOf({ ref: ref('date') })).toBe('2026-01-02T03:04:05');
    const body = [node('wait', 'SLEEP', { ms: 3_600_000 })];
    expect(await valueOf({ text: [ref('date', '%H'), ' ', ref('run', 'date:%H')] }, { body })).toBe('04 03');
  });

  test('dates in UTC, where the format begins with an exclamation mark', async () => {
    const text = [ref('date', '!%H:%MZ'), ' ', ref('date', '%H:%M'), ' ', ref('run', 'date:!')];
    expect(await valueOf({ text }, { host: { offset: 90 } })).toBe('03:04Z 04:34 2026-01-02T03:04:05');
  });

  test('a uuid anew at each occurrence', async () => {
    const text = await valueOf({ text: [ref('uuid'), ' ', ref('uuid')] });
    expect(text).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15} [0-9a-f]{32}$/);
    const [first, second] = String(text).split(' ');
    expect(first).not.toBe(second);
    expect(await valueOf({ ref: ref('uuid', 'v4') })).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  test('secret files stay inside their folder and end without the line feed of an editor', async () => {
    const program = { settings: { gates: {}, secrets: { file_root: 'secrets' } } };
    const files = { '/work/secrets/api': 'hunter22\n', '/work/other': 'x' };
    const { of } = await runCase({
      files,
      program,
      commands: { LENGTH: ({ value }) => String(value).length },
      body: [node('0', 'LENGTH', { value: { ref: ref('file', 'api') } })],
    });
    expect(of('a.yaml#0').result).toBe(8);
    expect(await valueOf({ ref: ref('file', '../other') }, { files, program })).toBe('SVC80015');
    expect(await valueOf({ ref: ref('file', 'none') }, { files, program })).toBe('SVC80015');
    expect(await valueOf({ ref: ref('file', 'api') }, { files })).toBe('SVC80016');
  });

  test('a secret file is a small regular file of text, and no link leads out of its folder', async () => {
    const program = { settings: { gates: {}, secrets: { file_root: 'secrets' } } };
    const files = {
      '/work/secrets/api': 'hunter22',
      '/work/secrets/large': 'x'.repeat(65_537),
      '/work/secrets/folder/x': '',
      '/work/other': 'outside',
    };
    const commands: TestCommands = {
      PREPARE: async (_, ctx) => {
        await ctx.files.write('/work/secrets/bytes', Uint8Array.of(0xff, 0x68));
        await ctx.files.link('api', '/work/secrets/link');
        await ctx.files.link('../other', '/work/secrets/out');
      },
      LENGTH: ({ value }) => String(value).length,
    };
    const names = ['link', 'out', 'large', 'bytes', 'folder'];
    const { of } = await runCase({
      files,
      program,
      commands,
      body: [
        node('prepare', 'PREPARE'),
        ...names.map((name) => node(name, 'LENGTH', { value: { ref: ref('file', name) } })),
      ],
    });
    expect(names.map((name) => of(`a.yaml#${name}`).error?.code ?? of(`a.yaml#${name}`).result)).toEqual([
      8,
      'SVC80015',
      'SVC87200',
      'SVC87200',
      'SVC80015',
    ]);
  });

  test('run.tmp is made on first use and removed at the end', async () => {
    let seen: unknown;
    const { of, host } = await runCase({
      commands: { KIND: async ({ path }, ctx) => ((seen = path), (await ctx.files.stat(String(path))).kind) },
      body: [node('0', 'KIND', { path: { ref: ref('run', 'tmp') } })],
    });
    expect(of('a.yaml#0').result).toBe('directory');
    expect(await host.files.find(String(seen))).toBeUndefined();
  });

  test('an event only inside the list of a watch', async () => {
    expect(await valueOf({ ref: ref('event', 'path') })).toBe('SVC80018');
  });

  test('an event that has no such field says so', () => {
    const at = { event: { type: 'created', path: '/a' } } as unknown as Surroundings;
    expect(() => valueOfReference(ref('event', 'dest'), at, new Filling())).toThrow(
      'This event ("created") has no "dest".',
    );
  });
});

describe('variables', () => {
  test('a whole reference takes the value with its type', async () => {
    expect(await valueOf({ ref: variable('x') }, { body: [set('x', { a: [1, null] })] })).toEqual({ a: [1, null] });
    expect(await valueOf({ ref: variable('x', 'a', 0) }, { body: [set('x', { a: [1] })] })).toBe(1);
    expect(await valueOf({ ref: variable('x', 'b y') }, { body: [set('x', { 'b y': 2 })] })).toBe(2);
  });

  test('inside text, values are written as JSON', async () => {
    const body = [set('n', 1.5), set('b', true), set('o', { a: [1, 'x'] }), set('z', null), set('s', 'text')];
    expect(
      await valueOf(
        { text: ['', variable('n'), '|', variable('b'), '|', variable('o'), '|', variable('z'), '|', variable('s')] },
        { body },
      ),
    ).toBe('1.5|true|{"a":[1,"x"]}|null|text');
  });

  test('where only text fits, numbers and booleans are written; where only those fit, outside text is read', async () => {
    expect(await valueOf({ ref: variable('n'), as: 'text' }, { body: [set('n', 5)] })).toBe('5');
    expect(await valueOf({ ref: ref('env', 'PORT'), as: 'json' })).toBe(8080);
    expect(await valueOf({ ref: ref('env', 'HOME'), as: 'json' })).toBe('/home/ada');
    for (const text of ['9007199254740993', '1e400'])
      expect(await valueOf({ ref: ref('env', 'T'), as: 'json' }, { host: { env: { T: text } } })).toBe(text);
    expect(
      await valueOf({ ref: variable('v'), as: 'json' }, { options: { variables: { v: { text: 'false' } } } }),
    ).toBe(false);
    expect(await valueOf({ ref: variable('v'), as: 'json' }, { options: { variables: { v: { json: '5' } } } })).toBe(
      '5',
    );
    expect(await valueOf({ ref: variable('v'), as: 'json' }, { body: [set('v', '5')] })).toBe('5');
    expect(await valueOf({ ref: { ...variable('v'), default: '5' }, as: 'json' })).toBe(5);
    expect(await valueOf({ ref: { ...variable('v'), default: '5' }, as: 'json' }, { body: [set('v', '6')] })).toBe('6');
  });

  test('names with dots and brackets: the longest stored one wins', async () => {
    const body = [set('a', { b: { c: 1 } }), set('a.b', { c: 2 }), set('list[0]', 'first')];
    expect(await valueOf({ ref: variable('a', 'b', 'c') }, { body })).toBe(2);
    expect(await valueOf({ ref: variable('list', 0) }, { body })).toBe('first');
    expect(await valueOf({ ref: variable('a', 'x') }, { body })).toBe('SVC80012');
  });

  test('an unset variable and a missing path are failures that name the piece', async () => {
    const { of } = await runCase({
      body: [
        set('x', { a: {} }),
        node('0', 'GET', { value: { ref: variable('y') } }),
        node('1', 'GET', { value: { ref: variable('x', 'a', 'b', 'c') } }),
      ],
    });
    expect(of('a.yaml#0').error?.message).toBe('There is no variable "y".');
    expect(of('a.yaml#1').error?.message).toBe('There is no "b" in x.a.');
  });

  test('a default stands in for what is unset, and null is a value', async () => {
    expect(await valueOf({ ref: { ...variable('x'), default: 'd' } })).toBe('d');
    expect(await valueOf({ ref: { ...variable('x', 'a'), default: 'd' } }, { body: [set('x', {})] })).toBe('d');
    expect(await valueOf({ ref: { ...variable('x'), default: 'd' } }, { body: [set('x', null)] })).toBeNull();
  });

  test('header names ignore case', async () => {
    expect(
      await valueOf(
        { ref: variable('r', 'headers', 'Content-Type') },
        { body: [set('r', { headers: { 'content-type': 'a/b' } })] },
      ),
    ).toBe('a/b');
    expect(await valueOf({ ref: variable('r', 'Body') }, { body: [set('r', { body: 1 })] })).toBe('SVC80012');
  });

  test('prototype properties are no values', async () => {
    expect(await valueOf({ ref: variable('x', 'constructor') }, { body: [set('x', {})] })).toBe('SVC80012');
    expect(await valueOf({ ref: variable('x', 'length') }, { body: [set('x', [1])] })).toBe('SVC80012');
  });

  test('text that came out of a reference is never searched again', async () => {
    expect(await valueOf({ ref: variable('x') }, { body: [set('x', '{{y}} ${cwd}')] })).toBe('{{y}} ${cwd}');
  });

  test('reserved names cannot be set', async () => {
    const { of } = await runCase({ body: [set('steps', 1)] });
    expect(of('a.yaml#set-steps').error?.code).toBe('SVC80025');
  });
});

describe('conversions', () => {
  const as = (convert: RefConversion, text: string): Promise<unknown> =>
    valueOf({ ref: ref('env', 'T', { convert }) }, { host: { env: { T: text } } });
  test.each([
    ['int', '42', 42],
    ['int', ' -7 ', -7],
    ['int', '1.5', 'SVC80017'],
    ['int', 'x', 'SVC80017'],
    ['int', '', 'SVC80017'],
    ['int', '0x10', 'SVC80017'],
    ['int', '9007199254740991', 9007199254740991],
    ['int', '9007199254740993', 'SVC80017'],
    ['number', '-9007199254740993', 'SVC80017'],
    ['number', '5.', 5],
    ['number', '.5', 0.5],
    ['number', '1e400', 'SVC80017'],
    ['number', '1.5', 1.5],
    ['number', '1e3', 1000],
    ['number', 'Infinity', 'SVC80017'],
    ['bool', 'true', true],
    ['bool', 'false', false],
    ['bool', 'yes', 'SVC80017'],
    ['json', '{"a":1}', { a: 1 }],
    ['json', '[', 'SVC80017'],
  ] as const)(':%s of %j', async (convert, text, wanted) => {
    expect(await as(convert, text)).toEqual(wanted);
  });

  test('a default is converted too', async () => {
    expect(await valueOf({ ref: ref('env', 'NONE', { convert: 'int', default: '8080' }) })).toBe(8080);
  });

  test('the failure does not show the text, which may be a secret', async () => {
    const { of } = await runCase({
      host: { env: { API_TOKEN: 'hunter22' } },
      body: [node('0', 'GET', { value: { ref: ref('env', 'API_TOKEN', { convert: 'int' }) } })],
    });
    expect(of('a.yaml#0').error?.message).toBe('${env:API_TOKEN} is text, which cannot be read as int.');
  });
});

describe('containers', () => {
  test('lists and maps are filled; keys are not, and `__proto__` is a key like others', async () => {
    const value: Value = {
      map: [
        ['a', { list: [{ lit: 1 }, { ref: variable('x') }] }],
        ['__proto__', { lit: { polluted: true } }],
      ],
    };
    const { records } = await runCase({ body: [set('x', 2), node('it', 'GET', { value })] });
    const result = records[1]?.result;
    expect(JSON.stringify(result)).toBe('{"a":[1,2],"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('arguments with references are checked when they are known', async () => {
    const program = {
      validators: {
        GET: () => (params: unknown) =>
          typeof (params as { value: unknown }).value === 'number'
            ? []
            : [{ instancePath: '/value', keyword: 'type', params: { type: 'number' } }],
      },
    };
    const { of } = await runCase({
      program,
      body: [
        set('x', 'text'),
        node('0', 'GET', { value: { ref: variable('x') } }),
        node('1', 'GET', { value: 'literal' }),
      ],
    });
    expect(of('a.yaml#0').error).toMatchObject({
      code: 'SVC80029',
      message: 'The parameters of GET do not fit: "value" must be number.',
    });
    expect(of('a.yaml#1').status).toBe('passed');
  });
});
