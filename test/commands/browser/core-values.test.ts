import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { failureOf, session } from '../call.ts';

let root = '';
const at = (name: string): string => join(root, name);
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-values-'));
});
afterAll(() => rm(root, { recursive: true }));

const host = { ...nodeHost(), env: { SHOP: 'https://shop.example', EMPTY: '', LOOP: '${ENV.SHOP}' } };

describe('WR_expand_env_in_action', () => {
  it('fills texts at any depth, once, and leaves keys and other values alone', async () => {
    await using unit = await session({ host });
    const data = { '${ENV.SHOP}': ['${ENV.SHOP}/a?${ENV.EMPTY}', 7, null, true], loop: '${ENV.LOOP}', row: '${ROW.a}' };
    expect(await unit.call('WR_expand_env_in_action', { data })).toEqual({
      '${ENV.SHOP}': ['https://shop.example/a?', 7, null, true],
      loop: '${ENV.SHOP}',
      row: '${ROW.a}',
    });
  });

  it('shows the placeholder that is not set', async () => {
    await using unit = await session({ host });
    const failure = await failureOf(unit.call('WR_expand_env_in_action', { data: ['${ENV.NONE}'] }));
    expect(failure.message).toBe('"${ENV.NONE}" cannot be filled: "NONE" is not set.');
  });

  it('takes defaults and conversions, and tells every name that is not set at once', async () => {
    await using unit = await session({ host: { ...host, env: { PORT: '81', NAME: 'x' } } });
    const data = [
      '${ENV.PORT:int}',
      '${ENV.NONE:int:-8080}',
      ':${ENV.NONE:-80}/${ENV.PORT:-1}',
      '${ENV.NONE:-',
      '${ENV.a b}',
    ];
    expect(await unit.call('WR_expand_env_in_action', { data })).toEqual([
      81,
      8080,
      ':80/81',
      '${ENV.NONE:-',
      '${ENV.a b}',
    ]);
    const missing = ['${ENV.ONE}', { a: '${ENV.PORT}, ${ENV.TWO} and ${ENV.ONE}' }];
    const failure = await failureOf(unit.call('WR_expand_env_in_action', { data: missing }));
    expect(failure.message).toBe('"${ENV.ONE}" cannot be filled: "ONE" is not set, nor is "TWO".');
    const unfit = await failureOf(unit.call('WR_expand_env_in_action', { data: '${ENV.NAME:int}' }));
    expect(unfit.message).toBe('"${ENV.NAME:int}" cannot be filled: its value cannot be read as int.');
  });
});

describe('WR_execute_action', () => {
  const actions = [
    ['AT_set_variable', { name: 'a', value: 1 }],
    ['AT_extract_and_store', { response: {}, path: 'x', name: 'b' }],
    ['AT_set_variable', { name: 'c', value: 1 }],
  ];

  it('ends the list at the first failure where it is asked to, and tells how long each action took', async () => {
    await using unit = await session();
    const run = async (params: object): Promise<unknown> =>
      (await failureOf(unit.call('WR_execute_action', { action_list: actions, ...params }))).options.result;
    const duration_ms = expect.any(Number) as number;
    const [passed, failed] = [
      { index: 0, status: 'ok', duration_ms },
      { index: 1, status: 'failed', duration_ms },
    ];
    expect(await run({})).toMatchObject([passed, failed, { index: 2, status: 'ok', duration_ms }]);
    const stopped = await run({ stop_on_failure: true });
    expect(stopped).toMatchObject([
      passed,
      failed,
      { index: 2, status: 'skipped', reason: expect.any(String) as string },
    ]);
    expect((stopped as object[])[2]).not.toHaveProperty('duration_ms');
  });
});

describe('WR_chrome_options_with_extension', () => {
  it.each(['mark.crx', 'MARK.CRX'])('refuses %s that holds no extension', async (name) => {
    await writeFile(at(name), '<title>Not found</title>');
    await using unit = await session();
    const failure = await failureOf(unit.call('WR_chrome_options_with_extension', { crx_or_dir: at(name) }));
    expect(failure.facts.code).toBe('SVC81012');
    expect(failure.message).toContain('holds none');
  });
});

describe('WR_get_env and WR_load_env', () => {
  it('see the process first, then the file, unless it overrides', async () => {
    await writeFile(at('.env'), 'SHOP=https://other.example\nexport CITY="Bern"\n# no\n');
    await writeFile(at('.env.stage'), 'CITY=Basel\nAPI_TOKEN=t0k3n-0123456789\n');
    await using unit = await session({ host });
    expect(await unit.call('WR_get_env', { key: 'CITY' })).toBeNull();
    expect(await unit.call('WR_load_env', { env_dir: root })).toBe(at('.env'));
    const get = (key: string): Promise<unknown> => unit.call('WR_get_env', { key, default: 'default' });
    expect([await get('CITY'), await get('SHOP'), await get('EMPTY')]).toEqual(['Bern', 'https://shop.example', '']);
    await unit.call('WR_load_env', { env_name: 'stage', env_dir: root });
    await unit.call('WR_load_env', { env_dir: root, override: true });
    expect([await get('CITY'), await get('SHOP'), await get('NONE')]).toEqual([
      'Bern',
      'https://other.example',
      'default',
    ]);
    await unit.step('WR_get_env', { key: 'API_TOKEN' });
    expect(JSON.stringify(unit.records)).not.toContain('t0k3n');
  });

  it('leave alone what an earlier file has set, unless one overrides', async () => {
    await writeFile(at('.env'), 'CITY=Bern\n');
    await writeFile(at('.env.stage'), 'CITY=Basel\nLAKE=no\n');
    await writeFile(at('.env.live'), 'CITY=Genf\nLAKE=yes\n');
    await using unit = await session({ host });
    const load = (env_name: string | null, override = false): Promise<unknown> =>
      unit.call('WR_load_env', { env_name, env_dir: root, override });
    const get = async (): Promise<unknown> => [
      await unit.call('WR_get_env', { key: 'CITY' }),
      await unit.call('WR_get_env', { key: 'LAKE' }),
    ];
    await load(null);
    await load('stage');
    expect(await get()).toEqual(['Bern', 'no']);
    await load('live');
    expect(await get()).toEqual(['Bern', 'no']);
    await load('live', true);
    await load('stage');
    expect(await get()).toEqual(['Genf', 'yes']);
    await load('stage', true);
    expect(await get()).toEqual(['Basel', 'no']);
  });

  it('fail for a file that is not there', async () => {
    await using unit = await session({ host });
    const failure = await failureOf(unit.call('WR_load_env', { env_name: 'none', env_dir: root }));
    expect(failure.name).toBe('FileNotExistsException');
  });
});

describe('a file that declares the keys it reads', () => {
  const unit = { env_keys: ['SHOP', 'CITY'] };
  const refused = { facts: { code: 'SVC80076' } };

  it('reads these alone, whatever chooses the key and wherever it is set', async () => {
    await using open = await session({ host: { ...host, env: { ...host.env, LATE: 'late', CITY: 'Bern' } }, unit });
    expect(await open.call('WR_get_env', { key: 'SHOP' })).toBe('https://shop.example');
    expect(await open.call('WR_expand_env_in_action', { data: '${ENV.CITY}' })).toBe('Bern');
    await writeFile(at('.env'), 'LAKE=Thun\n');
    await open.call('WR_load_env', { env_dir: root });
    await writeFile(at('profile.json'), '{ "a": "${LATE}" }');
    const failures = await Promise.all(
      (
        [
          ['WR_get_env', { key: 'LATE', default: 'none' }],
          ['WR_get_env', { key: 'LAKE' }],
          ['WR_expand_env_in_action', { data: ['${ENV.SHOP}', { a: 'x${ENV.LATE}' }] }],
          ['AT_load_env_profile', { file_path: at('profile.json') }],
        ] as const
      ).map(([name, params]) => failureOf(open.call(name, params))),
    );
    for (const failure of failures) expect(failure).toMatchObject(refused);
    expect(failures[0]?.message).toBe('`meta.env_keys` does not list "LATE".');
  });

  it.each(['${ENV.LATE:-none}', '${env:LATE:-none}'])('holds files that are run as data to them: %s', async (value) => {
    await writeFile(at('later.yaml'), JSON.stringify({ svc: [['AT_set_variable', { name: 'a', value }]] }));
    await using open = await session({ host, unit, root });
    const ended = await open.step('WR_execute_files', { execute_files_list: [at('later.yaml')] });
    expect(ended.failure?.options.cause).toMatchObject(refused);
  });
});

describe('WR_expand_with_row', () => {
  it('keeps the type of a cell that is a whole text, and writes JSON within a longer one', async () => {
    await using unit = await session();
    const row = { id: 7, on: true, none: null, list: [1], name: 'Ann', toString: 'x' };
    const data = ['${ROW.id}', '${ROW.list}', 'No. ${ROW.id} ${ROW.on} ${ROW.none} ${ROW.name}', '${ROW.toString}'];
    expect(await unit.call('WR_expand_with_row', { data, row })).toEqual([7, [1], 'No. 7 true null Ann', 'x']);
    const failure = await failureOf(unit.call('WR_expand_with_row', { data: '${ROW.constructor}', row: {} }));
    expect(failure.facts.code).toBe('SVC82040');
  });

  it('takes defaults and conversions', async () => {
    await using unit = await session();
    const data = ['${ROW.age:int}', '${ROW.none:int:-18}', 'n: ${ROW.none:-1}', '${ROW.empty:-2}'];
    const filled = await unit.call('WR_expand_with_row', { data, row: { age: '7', empty: null } });
    expect(filled).toEqual([7, 18, 'n: 1', null]);
  });
});

describe('WR_load_dataset_csv and WR_load_dataset_json', () => {
  it('read rows by the rules of meta.dataset', async () => {
    await writeFile(at('a.csv'), '\uFEFFid,note\r\n1,"two\nlines"\r\n\r\n2,\r\n');
    await using unit = await session();
    expect(await unit.call('WR_load_dataset_csv', { path: at('a.csv') })).toEqual([
      { id: '1', note: 'two\nlines' },
      { id: '2', note: '' },
    ]);
  });

  it.each([
    ['short.csv', 'a,b\n1\n', 'SVC80035', /line 2: 1 cells where 2 columns are named/],
    ['empty.csv', 'a,b\n', 'SVC80035', /no rows/],
    ['object.json', '{}', 'SVC80035', /not a list/],
    ['numbers.json', '[{}, 7]', 'SVC80040', /2/],
    ['none.json', undefined, 'SVC80035', /none\.json/],
  ])('refuse %s', async (name, text, code, message) => {
    if (text !== undefined) await writeFile(at(name), text);
    await using unit = await session();
    const command = name.endsWith('csv') ? 'WR_load_dataset_csv' : 'WR_load_dataset_json';
    const failure = await failureOf(unit.call(command, { path: at(name) }));
    expect(failure.facts.code).toBe(code);
    expect(failure.message).toMatch(message);
  });
});
