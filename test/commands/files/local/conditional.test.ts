import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { failureOf, session } from '../../call.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-files-'));
  await writeFile(join(root, 'file'), '12345');
  await mkdir(join(root, 'folder'));
  await symlink('nowhere', join(root, 'dangling'));
  await symlink('circle', join(root, 'circle'));
  await symlink('file', join(root, 'link'));
  await writeFile(join(root, 'old'), '');
  await utimes(join(root, 'old'), 1000, 1000);
  await writeFile(join(root, 'as old'), '');
  await utimes(join(root, 'as old'), 1000, 1000);
});
afterEach(() => rm(root, { recursive: true }));

const branches = {
  then: [['AT_set_variable', { name: 'branch', value: 'then' }]],
  else: [['AT_set_variable', { name: 'branch', value: 'else' }]],
};

/** Branch that a condition takes, by what the branch does and by what the result says. */
async function taken(name: string, params: Readonly<Record<string, unknown>>): Promise<string> {
  await using unit = await session();
  const { matched, results } = (await unit.call(name, { ...params, ...branches })) as {
    matched: boolean;
    results: Record<string, unknown>;
  };
  expect(Object.values(results)).toEqual([
    expect.objectContaining({ index: 0, action: 'AT_set_variable', status: 'ok' }),
  ]);
  expect(Object.keys(results)).toEqual(['execute[0]: AT_set_variable']);
  const branch = await unit.call('AT_get_variable', { name: 'branch' });
  expect(branch).toBe(matched ? 'then' : 'else');
  return branch as string;
}

it.each([
  ['file', 'then'],
  ['folder', 'then'],
  ['link', 'then'],
  ['dangling', 'else'],
  ['circle', 'else'],
  ['missing', 'else'],
  ['file/below', 'else'],
])('FA_if_exists: %s takes %s', async (name, expected) => {
  expect(await taken('FA_if_exists', { path: join(root, name) })).toBe(expected);
});

it.each([
  ['file', 'old', 'then'],
  ['old', 'file', 'else'],
  ['old', 'as old', 'else'],
  ['old', 'missing', 'then'],
  ['missing', 'old', 'else'],
  ['missing', 'missing', 'else'],
  ['circle', 'old', 'else'],
  ['old', 'circle', 'then'],
  ['folder', 'old', 'then'],
])('FA_if_newer: %s against %s takes %s', async (path, reference, expected) => {
  expect(await taken('FA_if_newer', { path: join(root, path), reference: join(root, reference) })).toBe(expected);
});

it.each([
  ['file', 4, 'then'],
  ['file', 5, 'else'],
  ['link', 4, 'then'],
  ['folder', 0, 'else'],
  ['missing', 0, 'else'],
  ['circle', 0, 'else'],
])('FA_if_size_gt: %s over %s takes %s', async (name, bytes_threshold, expected) => {
  expect(await taken('FA_if_size_gt', { path: join(root, name), bytes_threshold })).toBe(expected);
});

it('runs nothing for a branch that is left out, and refuses a negative limit', async () => {
  await using unit = await session();
  expect(await unit.call('FA_if_exists', { path: join(root, 'missing'), then: branches.then })).toEqual({
    matched: false,
    results: {},
  });
  expect(unit.records.length).toBe(1);
  await failureOf(unit.call('FA_if_size_gt', { path: join(root, 'file'), size: -1 }));
});

it('runs the rest of a branch behind a failed action, then fails', async () => {
  await using unit = await session();
  const then = [['FA_file_checksum', { path: join(root, 'missing') }], ...branches.then];
  const ended = await unit.step('FA_if_exists', { path: root, then });
  expect(ended.status).toBe('failed');
  expect(unit.records.at(-1)?.result).toEqual({
    matched: true,
    results: {
      'execute[0]: FA_file_checksum': {
        index: 0,
        action: 'FA_file_checksum',
        status: 'error',
        error: { type: 'FileNotExistsException', message: `There is no file "${join(root, 'missing')}".` },
      },
      'execute[1]: AT_set_variable': expect.objectContaining({ status: 'ok' }) as unknown,
    },
  });
  expect(await unit.call('AT_get_variable', { name: 'branch' })).toBe('then');
});

it('FA_execute_action runs a list in order, or only tells what it would run', async () => {
  await using unit = await session();
  const actions = [
    ['FA_create_dir', { dir_path: join(root, 'new') }],
    ['FA_create_file', { file_path: join(root, 'new/a.txt'), content: 'a' }],
    ['FA_file_checksum', { path: join(root, 'new/a.txt'), algorithm: 'md5' }],
  ];
  const dry = (await unit.call('FA_execute_action', { actions, dry_run: true })) as Record<string, { status: string }>;
  expect(Object.values(dry).map(({ status }) => status)).toEqual(['dry_run', 'dry_run', 'dry_run']);
  await failureOf(unit.call('FA_file_checksum', { path: join(root, 'new/a.txt') }));
  const done = (await unit.call('FA_execute_action', { actions: { auto_control: actions } })) as Record<
    string,
    { status: string; value?: unknown }
  >;
  expect(Object.keys(done)).toEqual([
    'execute[0]: FA_create_dir',
    'execute[1]: FA_create_file',
    'execute[2]: FA_file_checksum',
  ]);
  expect(done['execute[2]: FA_file_checksum']).toMatchObject({
    status: 'ok',
    value: '0cc175b9c0f1b6a831c399e269772661',
  });
});

it('FA_execute_action_parallel runs at most so many at once, and lists results in order', async () => {
  await using unit = await session();
  const actions = Array.from({ length: 6 }, (_, index) => [
    'FA_create_file',
    { file_path: join(root, `p${index}`), content: String(index) },
  ]);
  const done = (await unit.call('FA_execute_action_parallel', { actions, max_workers: 3 })) as Record<
    string,
    { status: string; index: number }
  >;
  expect(Object.values(done).map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(Object.values(done).every(({ status }) => status === 'ok')).toBe(true);
  expect(await unit.call('FA_discover_files', { dir_path: root, extension: 'p5' })).toEqual([]);
  expect(unit.records.filter(({ parent }) => parent !== undefined).length).toBe(6);
});

it('FA_substitute fills texts at any depth, once, and leaves keys', async () => {
  await using unit = await session({ variables: { user: { id: 7, tags: ['a'] } } });
  const payload = {
    '${cwd}': ['${cwd}', '{{user.id}}', 'id {{user.id}} {{user.tags}}', '$${cwd} {{missing:-none}}', 5, null],
    uuid: '${uuid}',
  };
  const filled = (await unit.call('FA_substitute', { payload })) as Record<string, unknown>;
  expect(filled['${cwd}']).toEqual([process.cwd(), 7, 'id 7 ["a"]', '${cwd} none', 5, null]);
  expect(filled['uuid']).toMatch(/^[0-9a-f]{32}$/);
});

it.each(['${env:SVC_NOT_THERE}', '{{missing}}', '${nope:x}', '${cwd'])('FA_substitute refuses %s', async (payload) => {
  await using unit = await session();
  const failure = await failureOf(unit.call('FA_substitute', { payload: [payload] }));
  expect([failure.facts.code, failure.facts.name]).toEqual(['SVC85072', 'SubstitutionException']);
});
