import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { built } from '../built.ts';

/** Modules of Node that take milliseconds to load, and that most short commands need nothing of. */
const SLOW = ['child_process', 'crypto', 'fs/promises', 'http', 'net', 'readline', 'stream', 'worker_threads', 'zlib'];

/** Tells, when the process ends, the modules of Node that it has loaded and how many files of ours. */
const TELLER = `
const before = new Set(process.moduleLoadList);
let files = 0;
require('node:module').registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) files += 1;
    return next(url, context);
  },
});
process.on('exit', () => {
  const modules = process.moduleLoadList.filter((name) => !before.has(name)).map((name) => name.split(' ').at(-1));
  require('node:fs').writeFileSync(process.env.TOLD, JSON.stringify({ modules, files }));
});
`;

let root = '';
let svc = '';
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'svc-start-'));
  writeFileSync(join(root, 'teller.cjs'), TELLER);
  writeFileSync(join(root, 'two.yaml'), 'actions:\n  - [AT_set_variable, { name: a, value: 1 }]\n');
  svc = join(await built(), 'dist/bin/svc.js');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function loaded(...args: readonly string[]): { readonly modules: readonly string[]; readonly files: number } {
  const told = join(root, 'told.json');
  const { status, stderr } = spawnSync(process.execPath, ['-r', join(root, 'teller.cjs'), svc, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: root, TOLD: told },
    encoding: 'utf8',
  });
  expect(stderr).not.toContain('error');
  expect(status).toBe(0);
  return JSON.parse(readFileSync(told, 'utf8')) as ReturnType<typeof loaded>;
}

test('the command line begins with a handful of files', () => {
  const { modules, files } = loaded('--version');
  expect(modules.filter((name) => SLOW.includes(name))).toEqual([]);
  expect(files).toBeLessThanOrEqual(6);
});

test('a check of a small file loads a dozen files, and no slow module of Node', () => {
  const { modules, files } = loaded('check', 'two.yaml');
  expect(modules.filter((name) => SLOW.includes(name))).toEqual([]);
  expect(files).toBeLessThanOrEqual(12);
});

test('most functions that a check calls come compiled out of the cache', () => {
  const log = join(root, 'v8.log');
  const args = ['--log-function-events', '--no-logfile-per-isolate', `--logfile=${log}`, svc, 'check', 'two.yaml'];
  const compiled = (): number => {
    const { status } = spawnSync(process.execPath, args, { cwd: root, env: { PATH: process.env['PATH'], HOME: root } });
    expect(status).toBe(0);
    return readFileSync(log, 'utf8').match(/^function,parse-function,/gm)?.length ?? 0;
  };
  const first = compiled();
  // Methods of classes, and functions that Node itself compiles late, are left.
  expect(compiled()).toBeLessThan(300);
  expect(first).toBeGreaterThan(0);
});
