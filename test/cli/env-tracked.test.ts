import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { namesIn, trackedFiles } from '#compiler/engine/environments/tracked-files.ts';
import { nodeHost } from '#runtime/hosts/node.ts';

import { svc } from './svc.ts';

let folder: string;
const git = (...args: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], { cwd: folder, stdio: 'pipe' });

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-env-')));
  mkdirSync(join(folder, 'deep', 'er'), { recursive: true });
  writeFileSync(join(folder, 'a.yaml'), '- AT_set_variable: { name: a, value: "${ENV.API_TOKEN} ${ENV.PLACE}" }\n');
  writeFileSync(join(folder, '.env'), 'API_TOKEN=abcdef\nPLACE=home\nEMPTY_KEY=\n');
  writeFileSync(join(folder, 'deep', 'er', '.env.staging'), 'PLACE=AKIAIOSFODNN7EXAMPLE\n');
  writeFileSync(join(folder, '.env.local'), 'API_TOKEN=kept-here\nPLACE=here\n');
  git('init', '-q');
  git('add', 'a.yaml', '.env', 'deep');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tracked = async (): Promise<readonly string[] | undefined> =>
  [...((await trackedFiles(folder, nodeHost().files)) ?? [])].map((path) => path.slice(folder.length + 1)).toSorted();

test.each([2, 3, 4])('what git tracks stands in its index, version %i', async (version) => {
  git('update-index', '--index-version', String(version));
  if (version > 2) git('add', '-N', '.env.local');
  expect(await tracked()).toEqual(
    ['.env', ...(version > 2 ? ['.env.local'] : []), 'a.yaml', 'deep/er/.env.staging'].toSorted(),
  );
});

test('secrets in files that git tracks are told by their names and forms, without their values', async () => {
  const { exit, stdout } = await svc(folder, ['env', 'check', '--json'], {});
  expect(exit).toBe(0);
  const { findings } = JSON.parse(stdout) as { findings: { kind: string; key: string; places: unknown }[] };
  expect(findings.filter(({ kind }) => kind === 'tracked-secret')).toEqual([
    { kind: 'tracked-secret', key: 'API_TOKEN', places: [{ file: '.env', line: 1 }] },
    { kind: 'tracked-secret', key: 'PLACE', places: [{ file: 'deep/er/.env.staging', line: 1 }] },
  ]);
  expect(stdout).not.toMatch(/abcdef|AKIA/);
});

test('a further working tree has an index of its own', async () => {
  git('commit', '-qm', 'one');
  git('worktree', 'add', '-q', join(folder, 'other'));
  const found = await trackedFiles(join(folder, 'other', 'deep'), nodeHost().files);
  expect([...(found ?? [])]).toContain(join(folder, 'other', '.env'));
});

test('what is no index is none', () => {
  expect(() => namesIn(new Uint8Array(64))).toThrow('no index');
  expect(() => namesIn(new Uint8Array(4))).toThrow();
});
