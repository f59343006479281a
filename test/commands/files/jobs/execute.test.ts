import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { RunRecord } from '#schemas/types/record.ts';

import { lacks } from '../../../fixtures/programs.ts';
import { runActions } from '../run-actions.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-execute-'));
});
afterEach(() => rm(root, { recursive: true }));

const put = (name: string, text: string): Promise<void> => writeFile(join(root, name), text);
const execute = (...names: string[]): unknown => [
  'FA_execute_files',
  { execute_files_list: names.map((name) => join(root, name)) },
];

async function records(...actions: readonly unknown[]): Promise<readonly RunRecord[]> {
  const { errors, records: all } = await runActions(root, actions);
  expect(errors).toEqual([]);
  return all;
}

describe('FA_execute_files', () => {
  it('runs files in order, in the unit of the step, with records that point into them', async () => {
    await put(
      'one.yaml',
      `setup:\n- AT_set_variable: { name: greeting, value: "hello {{who}}" }\nactions:\n- FA_create_file: { file_path: "${root}/one.txt", content: "{{greeting}}" }\n`,
    );
    await put('two.json', JSON.stringify([['FA_file_checksum', { path: join(root, 'one.txt'), algorithm: 'md5' }]]));
    const all = await records(['AT_set_variable', { name: 'who', value: 'you' }], execute('one.yaml', 'two.json'), [
      'AT_get_variable',
      { name: 'greeting' },
    ]);
    expect(await readFile(join(root, 'one.txt'), 'utf8')).toBe('hello you');
    const step = all.find(({ command }) => command === 'FA_execute_files');
    expect(step?.result).toEqual([
      {
        'execute[0]: AT_set_variable': expect.objectContaining({ status: 'ok' }) as unknown,
        'execute[1]: FA_create_file': { index: 1, action: 'FA_create_file', status: 'ok', value: null },
      },
      {
        'execute[0]: FA_file_checksum': {
          index: 0,
          action: 'FA_file_checksum',
          status: 'ok',
          value: createHash('md5').update('hello you').digest('hex'),
        },
      },
    ]);
    const nested = all.filter(({ parent }) => parent === step?.id);
    expect(nested.map(({ command, file, line }) => [command, file, line])).toEqual([
      ['AT_set_variable', 'one.yaml', 2],
      ['FA_create_file', 'one.yaml', 4],
      ['FA_file_checksum', 'two.json', 1],
    ]);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.at(-1)?.result).toBe('hello you');
  });

  it('checks all files before the first one runs', async () => {
    await put('good.yaml', `- FA_create_dir: { dir_path: "${root}/made" }\n`);
    await put('bad.yaml', '- FA_create_dri: { dir_path: x }\n- FA_create_dir: {}\n');
    const all = await records(execute('good.yaml', 'bad.yaml'));
    expect(all.at(-1)?.error).toMatchObject({ code: 'SVC85070', name: 'ExecuteActionException' });
    expect(all.at(-1)?.error?.cause?.message).toMatch(
      /^The action list cannot run: \S*bad\.yaml:1:3 SVC40002 .*FA_create_dri.*; \S*bad\.yaml:2:3 SVC60001 .*dir_path/,
    );
    expect(await readdir(root)).not.toContain('made');
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['no list', 'hello: [\n'],
  ])('refuses a file that is %s', async (_what, text) => {
    if (text !== undefined) await put('x.yaml', text);
    expect((await records(execute('x.yaml'))).at(-1)?.error).toMatchObject({ code: 'SVC85070' });
  });

  it('runs the rest of a file behind a failed action, the other files, and what a file depends on; then fails', async () => {
    await put('base.yaml', `- FA_create_dir: { dir_path: "${root}/base" }\n`);
    await put(
      'one.yaml',
      `meta: { depends_on: [base.yaml] }\nactions:\n- FA_file_checksum: { path: /nowhere }\n- FA_create_dir: { dir_path: "${root}/base/behind" }\n`,
    );
    await put(
      'graph.json',
      JSON.stringify({
        nodes: [
          { id: 'b', action: ['FA_create_dir', { dir_path: join(root, 'g/b') }], depends_on: ['a'] },
          { id: 'a', action: ['FA_create_dir', { dir_path: join(root, 'g') }] },
        ],
      }),
    );
    const all = await records(execute('one.yaml', 'graph.json'));
    expect(all.at(-1)).toMatchObject({ command: 'FA_execute_files', status: 'failed' });
    expect(await readdir(join(root, 'base'))).toEqual(['behind']);
    expect(all.filter(({ file }) => file === 'graph.json').map(({ status }) => status)).toEqual(['passed', 'passed']);
  });

  const statuses = (all: readonly RunRecord[], file: string): readonly string[] =>
    all.filter((record) => record.file === file).map(({ status, line }) => `${line} ${status}`);

  it('skips the body of a file whose setup failed, and runs its teardown all the same', async () => {
    await put(
      'one.yaml',
      `setup:\n- FA_file_checksum: /nowhere\n- FA_create_dir: ${root}/setup\nactions:\n- FA_create_dir: ${root}/body\nteardown:\n- FA_file_checksum: /nowhere\n- FA_create_dir: ${root}/teardown\n`,
    );
    await put('two.yaml', `- FA_create_dir: ${root}/two\n`);
    const all = await records(execute('one.yaml', 'two.yaml'));
    expect(statuses(all, 'one.yaml')).toEqual(['2 failed', '3 skipped', '5 skipped', '7 failed', '8 passed']);
    expect(all.find(({ line, file }) => file === 'one.yaml' && line === 5)?.reason).toMatch(/^the setup failed at /);
    expect((await readdir(root)).filter((name) => !name.includes('.'))).toEqual(['teardown', 'two']);
    const [first] = (all.at(-1)?.result ?? []) as unknown as readonly Record<string, { status: string }>[];
    expect(Object.values(first ?? {}).map(({ status }) => status)).toEqual([
      'error',
      'skipped',
      'skipped',
      'error',
      'ok',
    ]);
  });

  it('gives inputs of a file their defaults, unless a variable of that name is there', async () => {
    await put(
      'one.yaml',
      `meta: { inputs: { who: { type: string, default: you }, key: { type: string, default: hunter2, secret: true } } }\nactions:\n- AT_set_variable: { name: said, value: "hello {{who}}, {{key}}" }\n`,
    );
    const all = await records(
      execute('one.yaml'),
      ['AT_get_variable', { name: 'said' }],
      ['AT_set_variable', { name: 'who', value: 'all' }],
      execute('one.yaml'),
      ['AT_get_variable', { name: 'said' }],
    );
    expect(all.filter(({ command }) => command === 'AT_get_variable').map(({ result }) => result)).toEqual([
      'hello you, ***',
      'hello all, ***',
    ]);
  });

  it('skips a file whose input nobody gives', async () => {
    await put(
      'one.yaml',
      `meta: { inputs: { who: { type: string } } }\nactions:\n- FA_create_dir: ${root}/body\nteardown:\n- FA_create_dir: ${root}/teardown\n`,
    );
    const all = await records(execute('one.yaml'));
    expect(statuses(all, 'one.yaml')).toEqual(['3 skipped', '5 skipped']);
    expect(all.at(-1)).toMatchObject({
      status: 'failed',
      error: { code: 'SVC80032', cause: { message: expect.stringContaining('"who"') as unknown } },
    });
  });

  it('skips a file that depends on one that failed, and says so', async () => {
    await put('base.yaml', '- FA_file_checksum: /nowhere\n');
    await put(
      'one.yaml',
      `meta: { depends_on: [base.yaml] }\nactions:\n- FA_create_dir: ${root}/one\nteardown:\n- FA_create_dir: ${root}/teardown\n`,
    );
    const all = await records(execute('one.yaml'));
    expect(all.filter(({ file }) => file === 'one.yaml').map(({ status, reason }) => `${status} ${reason}`)).toEqual(
      Array(2).fill('skipped base.yaml failed, on which it depends'),
    );
  });

  it.skipIf(lacks('sh', 'sleep'))(
    'runs the teardown of a file that a time limit ends, and no file behind it',
    async () => {
      await put(
        'one.yaml',
        `actions:\n- FA_run_shell: [[sleep, "60"]]\n- FA_create_dir: ${root}/behind\nteardown:\n- FA_run_shell: [[sh, -c, "sleep 3 && mkdir ${root}/teardown"]]\n`,
      );
      await put('two.yaml', `- FA_create_dir: ${root}/two\n`);
      const all = await records(
        [...(execute('one.yaml', 'two.yaml') as unknown[]), { timeout_s: 0.2 }],
        ['FA_list_dir', { dir_path: root, pattern: 'tear*' }],
      );
      expect(statuses(all, 'one.yaml')).toEqual(['2 failed', '3 skipped', '5 passed']);
      // The step is over only when the teardown is.
      expect(all.at(-1)?.result).toMatchObject([{ name: 'teardown' }]);
      expect(all.at(-2)).toMatchObject({ command: 'FA_execute_files', status: 'failed', error: { code: 'SVC80002' } });
    },
  );
});

describe('FA_validate', () => {
  it('yields the names of a list, after old ones are written anew', async () => {
    const all = await records([
      'FA_validate',
      {
        action_list: {
          auto_control: [
            ['FA_create_dir', ['x']],
            ['FA_if_exists', { path: 'y', then: [['FA_remove_file', ['y']]] }],
          ],
        },
      },
    ]);
    expect(all.at(-1)?.result).toEqual(['FA_create_dir', 'FA_if_exists']);
  });

  it('lists all mistakes at once, also those of nested lists, and runs nothing', async () => {
    const action_list = [
      ['FA_create_dir', { dir_path: join(root, 'made') }],
      ['FA_creat_dir', ['x']],
      ['FA_if_exists', { path: 'y', then: [['FA_remove_file', { path: 'y' }]] }],
      ['FA_execute_action_dag', { nodes: [{ id: 'a', action: ['FA_nope'] }] }],
    ];
    const all = await records(['FA_validate', { action_list }]);
    const { error } = all.at(-1) ?? {};
    expect(error).toMatchObject({ code: 'SVC85071', name: 'ValidationException' });
    for (const place of [
      '[1][0]: SVC40002 ',
      '[2][1].then[0][1].path: SVC60002 ',
      '[3][1].nodes[0].action[0]: SVC40002 ',
    ])
      expect(error?.message).toContain(place);
    for (const word of ['FA_creat_dir', '"path"', 'FA_nope']) expect(error?.message).toContain(word);
    expect(await readdir(root)).toEqual(['actions.json']);
  });
});
