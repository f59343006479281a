import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import * as svc from '#compiler/library/files.ts';

let root = '';
const at = (name: string): string => join(root, name);
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'svc-library-'))));
afterAll(() => rm(root, { recursive: true }));

const failed = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: Error) => error,
  );

describe('execute_action', () => {
  it('runs a list to its end and tells of each action', async () => {
    const results = await svc.execute_action([
      ['FA_create_file', { file_path: at('a.txt'), content: 'a' }],
      ['FA_file_checksum', [at('none')]],
      ['FA_line_count', [at('a.txt')]],
    ]);
    expect(results).toEqual({
      [`execute[0]: ["FA_create_file",{"file_path":${JSON.stringify(at('a.txt'))},"content":"a"}]`]: {
        index: 0,
        action: 'FA_create_file',
        status: 'ok',
        value: null,
      },
      [`execute[1]: ["FA_file_checksum",[${JSON.stringify(at('none'))}]]`]: {
        index: 1,
        action: 'FA_file_checksum',
        status: 'error',
        error: { type: 'FileNotExistsException', message: `There is no file "${at('none')}".` },
      },
      [`execute[2]: ["FA_line_count",[${JSON.stringify(at('a.txt'))}]]`]: {
        index: 2,
        action: 'FA_line_count',
        status: 'ok',
        value: 1,
      },
    });
  });

  it('runs nothing of a list with a mistake', async () => {
    const error = await failed(
      svc.execute_action([
        ['FA_create_file', [at('never.txt')]],
        ['FA_create_dirr', ['x']],
      ]),
    );
    expect(error.name).toBe('ValidationException');
    expect(error.message).toContain('There is no command "FA_create_dirr"');
    await expect(readFile(at('never.txt'))).rejects.toThrow('ENOENT');
  });

  it('takes a list under auto_control, and calls nothing when it only tells', async () => {
    const results = await svc.execute_action(
      { auto_control: [['FA_create_file', [at('dry.txt')]]] },
      { dry_run: true },
    );
    expect(Object.values(results).map(({ status }) => status)).toEqual(['dry_run']);
    await expect(readFile(at('dry.txt'))).rejects.toThrow('ENOENT');
  });

  it('stops when it is told to', async () => {
    const error = await failed(
      svc.execute_action([['FA_create_dir', [at('late')]]], { signal: AbortSignal.abort('enough') }),
    );
    expect(error.message).toContain('enough');
  });
});

describe('execute_action_parallel', () => {
  it('answers in list order', async () => {
    const results = await svc.execute_action_parallel(
      [1, 2, 3].map((n) => ['FA_create_file', { file_path: at(`p${n}`) }]),
      { max_workers: 2 },
    );
    expect(Object.keys(results)).toEqual([
      `execute[0]: ["FA_create_file",{"file_path":${JSON.stringify(at('p1'))}}]`,
      `execute[1]: ["FA_create_file",{"file_path":${JSON.stringify(at('p2'))}}]`,
      `execute[2]: ["FA_create_file",{"file_path":${JSON.stringify(at('p3'))}}]`,
    ]);
  });

  it('refuses no workers', async () => {
    expect(
      (await failed(svc.execute_action_parallel([['FA_create_dir', ['x']]], { max_workers: 0 }))).message,
    ).toContain('max_workers');
  });
});

describe('execute_action_dag', () => {
  const nodes = [
    { id: 'made', action: ['FA_create_dir', ['PLACE']] },
    { id: 'a.b', action: ['FA_file_checksum', ['/no/such/file']], depends_on: ['made'] },
    { id: 'after', action: ['FA_create_dir', ['PLACE']], depends_on: ['a.b'] },
  ];
  const graph = (): svc.DagNode[] =>
    nodes.map((node) => ({
      ...node,
      action: JSON.parse(JSON.stringify(node.action).replace('PLACE', at('dag'))) as svc.ActionList,
    }));

  it('skips what depends on a failure, by the ids that were given', async () => {
    const results = await svc.execute_action_dag(graph());
    expect(Object.entries(results).map(([id, { status }]) => [id, status])).toEqual([
      ['made', 'ok'],
      ['a.b', 'error'],
      ['after', 'skipped'],
    ]);
  });

  it('runs it where failures do not count', async () => {
    expect((await svc.execute_action_dag(graph(), { fail_fast: false }))['after']?.status).toBe('ok');
  });

  it('refuses a cycle before anything runs', async () => {
    const error = await failed(
      svc.execute_action_dag([{ id: 'x', action: ['FA_create_dir', [at('cycle')]], depends_on: ['x'] }]),
    );
    expect(error.message).toMatch(/depend/);
  });
});

describe('lists, files and values', () => {
  it('names the commands of a list that is right', async () => {
    expect(
      await svc.validate_action([
        ['FA_create_dir', ['x']],
        ['FA_remove_file', { file_path: 'x' }],
      ]),
    ).toEqual(['FA_create_dir', 'FA_remove_file']);
  });

  it('runs files one after the other', async () => {
    await writeFile(at('one.yaml'), `- FA_create_file: { file_path: "${at('one.txt')}" }\n`);
    await writeFile(at('two.json'), JSON.stringify([['FA_line_count', [at('one.txt')]]]));
    const [one, two] = await svc.execute_files([at('one.yaml'), at('two.json')]);
    expect([Object.keys(one ?? {}), Object.values(two ?? {})[0]?.value]).toEqual([
      [`execute[0]: {"FA_create_file":{"file_path":${JSON.stringify(at('one.txt'))}}}`],
      0,
    ]);
  });

  it('fills references in texts', async () => {
    expect(await svc.substitute({ at: '${cwd}', list: ['$${kept}'] })).toEqual({
      at: process.cwd(),
      list: ['${kept}'],
    });
    expect((await failed(svc.substitute('${env:SVC_NO_SUCH_VARIABLE}'))).name).toBe('SubstitutionException');
  });

  it('writes an action file and reads it again', async () => {
    const actions = [['FA_create_dir', { dir_path: 'grün' }]];
    await svc.write_action_json(at('made.json'), actions);
    expect(await readFile(at('made.json'), 'utf8')).toContain('\n        "FA_create_dir"');
    expect(await svc.read_action_json(at('made.json'))).toEqual(actions);
    await writeFile(at('read.yaml'), `- FA_create_file: { file_path: "${at('one.txt')}" }\n`);
    expect(await svc.read_action_json(at('read.yaml'))).toEqual([{ FA_create_file: { file_path: at('one.txt') } }]);
  });

  it('keeps a file where the new content is not JSON, and says what is not', async () => {
    await svc.write_action_json(at('kept.json'), [['FA_create_dir', { dir_path: 'x' }]]);
    const error = await failed(svc.write_action_json(at('kept.json'), [{ at: new Date(0) }] as never));
    expect([error.name, error.message]).toEqual([
      'JsonActionException',
      `The content for "${at('kept.json')}" is not JSON: "/0/at" is of class Date`,
    ]);
    expect(await svc.read_action_json(at('kept.json'))).toHaveLength(1);
  });

  it('rejects with a Failure where a file cannot be written', async () => {
    expect(await failed(svc.write_action_json(at('no/folder/made.json'), []))).toBeInstanceOf(svc.Failure);
  });

  it('says why an action file cannot be read', async () => {
    await writeFile(at('broken.json'), '[1,');
    for (const name of ['broken.json', 'none.json'])
      expect((await failed(svc.read_action_json(at(name)))).name).toBe('JsonActionException');
  });
});

describe('functions of the program', () => {
  it('are called from lists, with values, keywords and a context', async () => {
    const seen: unknown[][] = [];
    const executor = new svc.ActionExecutor({ shop_pay: (...given: unknown[]) => (seen.push(given), 'paid') });
    const results = await executor.execute_action([
      ['shop_pay', [1, 'b']],
      ['shop_pay', { sum: 2 }],
      ['FA_execute_action', { action_list: [['shop_pay']] }],
    ]);
    expect(Object.values(results).map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
    expect(seen[0]).toEqual([1, 'b']);
    expect(seen[1]).toEqual([{ sum: 2 }, expect.objectContaining({ signal: expect.any(AbortSignal) as AbortSignal })]);
    expect(seen[2]).toEqual([]);
    expect(await executor.validate_action([['shop_pay']])).toEqual(['shop_pay']);
    const check = ['FA_validate', { action_list: [['shop_pay']] }] as const;
    const [checked] = Object.values(await executor.execute_action([check]));
    expect(checked).toMatchObject({ status: 'ok', value: ['shop_pay'] });
    const [unknown] = Object.values(await svc.execute_action([check]));
    expect(unknown).toMatchObject({ status: 'error' });
  });

  it('fail as steps do', async () => {
    const executor = new svc.ActionExecutor({ shop_pay: () => Promise.reject(new Error('no money')) });
    const [result] = Object.values(await executor.execute_action([['shop_pay']]));
    expect(result).toMatchObject({
      status: 'error',
      error: { message: expect.stringContaining('no money') as string },
    });
  });

  it('are added all or none, and replace no command', () => {
    const executor = new svc.ActionExecutor();
    expect(() => executor.add_command_to_executor({ fine: () => 1, FA_create_dir: () => 2 })).toThrow(
      'the standard library has a command of that name',
    );
    expect(() => new svc.ActionExecutor({ wrong: 'text' as never })).toThrow('it is no function');
    return expect(executor.validate_action([['fine']])).rejects.toThrow('There is no command "fine"');
  });

  it('are called back with the value of a command', async () => {
    const seen: unknown[][] = [];
    const value = await new svc.CallbackExecutor().callback_function(
      'FA_is_within',
      (...given: unknown[]) => void seen.push(given),
      { kwargs: { base: root, user_path: 'a' }, callback_function_param: ['x'], callback_param_method: 'args' },
    );
    expect([value, seen]).toEqual([true, [['x', true]]]);
  });

  it('of modules that were added to the table of callback runs are called as commands are', async () => {
    await writeFile(
      at('shop-tools.mjs'),
      'export const price = ({ of }) => of.length;\nexport function total(a, b) { return a + b; }\nexport const no = 3;\n',
    );
    const executor = new svc.CallbackExecutor();
    const settings = { settings: { gates: { packages: true } }, host: nodeHost({ cwd: root }) };
    const add = (name: string, module: string): Promise<unknown> =>
      svc.execute_action([[name, { package: module }]], { ...settings, callbacks: executor.callbacks });
    expect(await failed(executor.callback_function('shop_tools_price', () => 1))).toMatchObject({
      name: 'CallbackExecutorException',
    });
    for (const command of ['AT_add_package_to_callback_executor', 'WR_add_package_to_callback_executor']) {
      const own = new svc.CallbackExecutor();
      await svc.execute_action([[command, { package: './shop-tools.mjs' }]], { ...settings, callbacks: own.callbacks });
      expect(own.callbacks.names).toEqual(['shop_tools_price', 'shop_tools_total']);
      const seen: unknown[] = [];
      const value = await own.callback_function('shop_tools_price', (result) => void seen.push(result), {
        kwargs: { of: 'abc' },
      });
      expect([value, seen]).toEqual([3, [3]]);
    }
    await add('AT_add_package_to_callback_executor', './shop-tools.mjs#total');
    expect(executor.callbacks.names).toEqual(['shop_tools_total']);
    expect(await failed(executor.callback_function('shop_tools_price', () => 1))).toMatchObject({
      name: 'CallbackExecutorException',
    });
  });

  it('are checked before the command runs', async () => {
    const callback = (): void => undefined;
    const executor = new svc.CallbackExecutor();
    const error = await failed(
      executor.callback_function('FA_create_dir', callback, {
        kwargs: { dir_path: at('unmade') },
        callback_function_param: ['x'],
      }),
    );
    expect(error.name).toBe('CallbackExecutorException');
    expect((await failed(executor.callback_function('FA_none', callback))).message).toContain('FA_none');
    expect(await svc.call('FA_list_dir', { dir_path: root })).not.toContain('unmade');
  });
});

describe('what has not run is called what the catalogue calls it', () => {
  const key = ['FA_generate_key'];
  const graph = (...nodes: readonly object[]) => svc.execute_action_dag(nodes as svc.DagNode[]);
  const files = async (text?: string): Promise<unknown> => {
    if (text !== undefined) await writeFile(at('list.json'), text);
    return svc.execute_files([at(text === undefined ? 'none.json' : 'list.json')]);
  };
  const back = (name: string, options?: object) => new svc.CallbackExecutor().callback_function(name, () => 1, options);
  it.each<readonly [what: string, call: () => Promise<unknown>, name: string]>([
    ['a list that is text', () => svc.execute_action('x'), 'ExecuteActionException'],
    ['an object without a list', () => svc.execute_action({}), 'ExecuteActionException'],
    ['an empty list', () => svc.execute_action([]), 'ExecuteActionException'],
    ['an empty list in an object', () => svc.execute_action({ auto_control: [] }), 'ExecuteActionException'],
    ['an empty list at once', () => svc.execute_action_parallel([]), 'ExecuteActionException'],
    ['an unknown command', () => svc.execute_action([['FA_x']]), 'ValidationException'],
    ['an unknown command of a list to look at', () => svc.validate_action([['FA_x']]), 'ValidationException'],
    ['a circle', () => graph({ id: 'a', action: key, depends_on: ['a'] }), 'DagException'],
    ['an id twice', () => graph({ id: 'a', action: key }, { id: 'a', action: key }), 'DagException'],
    ['an unknown id', () => graph({ id: 'a', action: key, depends_on: ['z'] }), 'DagException'],
    ['a node without id', () => graph({ action: key }), 'DagException'],
    ['an id that is no text', () => graph({ id: 3, action: key }), 'DagException'],
    ['a node without action', () => graph({ id: 'a' }), 'DagException'],
    ['depends_on as text', () => graph({ id: 'a', action: key, depends_on: 'b' }), 'DagException'],
    ['an unknown command of a node', () => graph({ id: 'a', action: ['FA_x'] }), 'ValidationException'],
    ['an id among parameters', () => graph({ id: 'a', action: ['FA_x', { id: 3 }] }), 'ValidationException'],
    ['no file', () => files(), 'JsonActionException'],
    ['a broken file', () => files('{'), 'JsonActionException'],
    ['a file with nothing to run', () => files('[]'), 'ExecuteActionException'],
    ['a callback of an unknown command', () => back('FA_x'), 'CallbackExecutorException'],
    [
      'a payload of the wrong kind',
      () => back('FA_generate_key', { callback_function_param: [1] }),
      'CallbackExecutorException',
    ],
    ['an unknown method', () => back('FA_generate_key', { callback_param_method: 'x' }), 'CallbackExecutorException'],
    ['what is no function', async () => new svc.ActionExecutor({ x: 3 } as never), 'AddCommandException'],
    ['an unknown reference', () => svc.substitute('${nothing:x}'), 'SubstitutionException'],
  ])('%s', async (_what, call, name) => {
    expect((await failed(call())).name).toBe(name);
  });
});
