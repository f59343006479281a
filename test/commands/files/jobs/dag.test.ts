import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runActions } from '../run-actions.ts';
import { lacks } from '../../../fixtures/programs.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-dag-'));
});
afterEach(() => rm(root, { recursive: true }));

const make = (name: string): unknown => ['FA_create_dir', { dir_path: join(root, name) }];
const broken = ['FA_file_checksum', { path: '/nowhere/at/all' }];

type Results = Readonly<
  Record<
    string,
    {
      readonly index: number;
      readonly status: string;
      readonly value?: unknown;
      readonly reason?: string;
      readonly error?: { readonly type: string };
    }
  >
>;

/** Runs a graph and yields what became of each node, and of the step itself. */
async function graph(
  nodes: readonly unknown[],
  options: object = {},
): Promise<{ readonly status: string | undefined; readonly results: Results; readonly ended: readonly string[] }> {
  const { errors, records } = await runActions(root, [['FA_execute_action_dag', { nodes, ...options }]]);
  expect(errors).toEqual([]);
  const step = records.find(({ command }) => command === 'FA_execute_action_dag');
  return {
    status: step?.status,
    results: step?.result as Results,
    ended: records.filter(({ parent }) => parent !== undefined).map(({ id }) => id.slice(id.indexOf('#') + 1)),
  };
}

it('runs nodes in the order of their dependencies, whatever the order of the list', async () => {
  const { status, results, ended } = await graph([
    { id: 'leaf', action: make('a/b/c'), depends_on: ['middle one'] },
    { id: 'middle one', action: make('a/b'), depends_on: ['root'] },
    { id: 'root', action: make('a') },
  ]);
  expect(status).toBe('passed');
  expect(Object.entries(results)).toEqual([
    ['leaf', { index: 0, action: 'FA_create_dir', status: 'ok', value: true }],
    ['middle one', { index: 1, action: 'FA_create_dir', status: 'ok', value: true }],
    ['root', { index: 2, action: 'FA_create_dir', status: 'ok', value: true }],
  ]);
  expect(ended.map((id) => id.replace(/^.*\./, ''))).toEqual(['root', 'middle one', 'leaf']);
});

it('skips what depends on a failed node, also indirectly, runs the rest, and fails', async () => {
  const { status, results } = await graph([
    { id: 'bad', action: broken },
    { id: 'child', action: make('child'), depends_on: ['bad'] },
    { id: 'grandchild', action: make('grandchild'), depends_on: ['child'] },
    { id: 'other', action: make('other') },
  ]);
  expect(status).toBe('failed');
  expect(Object.fromEntries(Object.entries(results).map(([id, result]) => [id, result.status]))).toEqual({
    bad: 'error',
    child: 'skipped',
    grandchild: 'skipped',
    other: 'ok',
  });
  expect(results['bad']?.error?.type).toBe('FileNotExistsException');
  expect(results['child']?.reason).toContain('bad');
  expect(results['grandchild']?.reason).toContain('child');
  expect((await readdir(root)).sort()).toEqual(['actions.json', 'other']);
});

it('runs what depends on a failed node when it is told not to fail fast', async () => {
  const { status, results } = await graph(
    [
      { id: 'bad', action: broken },
      { id: 'child', action: make('child'), depends_on: ['bad'] },
    ],
    { fail_fast: false },
  );
  expect(status).toBe('failed');
  expect(results['child']?.status).toBe('ok');
});

it('only tells what it would run', async () => {
  const { status, results } = await graph(
    [
      { id: 'a', action: make('a') },
      { id: 'b', action: make('b'), depends_on: ['a'] },
    ],
    { dry_run: true },
  );
  expect(status).toBe('passed');
  expect(Object.values(results).map((result) => result.status)).toEqual(['dry_run', 'dry_run']);
  expect(await readdir(root)).toEqual(['actions.json']);
});

it('runs no more nodes at once than it may', async () => {
  const nodes = Array.from({ length: 12 }, (_, index) => ({ id: `n${index}`, action: make(`n${index}`) }));
  for (const max_workers of [1, 3]) {
    const { status, results } = await graph(nodes, { max_workers });
    expect(status).toBe('passed');
    expect(Object.keys(results)).toEqual(nodes.map(({ id }) => id));
  }
});

it.skipIf(lacks('sh', 'touch', 'sleep'))('runs nodes without an order at the same time', async () => {
  // Each waits for what the other makes.
  const meets = (own: string, other: string): unknown => [
    'FA_run_shell',
    { command: ['sh', '-c', `touch ${own}; until [ -e ${other} ]; do sleep 0.01; done`], cwd: root, timeout: 20 },
  ];
  const { status } = await graph([
    { id: 'a', action: meets('a', 'b') },
    { id: 'b', action: meets('b', 'a') },
  ]);
  expect(status).toBe('passed');
});

describe('what is wrong with a graph is found before anything runs', () => {
  it.each([
    [
      'an id that stands twice',
      [
        { id: 'a', action: ['FA_create_dir', { dir_path: 'x' }] },
        { id: 'a', action: ['FA_create_dir', { dir_path: 'y' }] },
      ],
    ],
    ['a dependency that is not there', [{ id: 'a', action: ['FA_create_dir', { dir_path: 'x' }], depends_on: ['b'] }]],
    ['a node that depends on itself', [{ id: 'a', action: ['FA_create_dir', { dir_path: 'x' }], depends_on: ['a'] }]],
    [
      'a cycle',
      [
        { id: 'a', action: ['FA_create_dir', { dir_path: 'x' }], depends_on: ['b'] },
        { id: 'b', action: ['FA_create_dir', { dir_path: 'y' }], depends_on: ['a'] },
      ],
    ],
    ['a node without an action', [{ id: 'a' }]],
    ['a node without an id', [{ action: ['FA_create_dir', { dir_path: 'x' }] }]],
    ['a command that is not there', [{ id: 'a', action: ['FA_create_dri', {}] }]],
    ['a parameter that is not there', [{ id: 'a', action: ['FA_create_dir', { path: 'x' }] }]],
  ])('%s', async (_what, nodes) => {
    const { errors, records } = await runActions(root, [['FA_execute_action_dag', { nodes }]]);
    expect(errors.length).toBeGreaterThan(0);
    expect(records).toEqual([]);
  });
});

it('an empty graph yields an empty object', async () => {
  expect(await graph([])).toMatchObject({ status: 'passed', results: {} });
});
