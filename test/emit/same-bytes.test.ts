import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { LinkCache } from '#compiler/phases/7-emit/link.ts';

import { built, root } from '../built.ts';

import { makePrograms, projectOf, removeProject } from './make-programs.ts';

const files = {
  'shop/login.yaml': `meta: { inputs: { user: { type: string, default: ada } }, depends_on: [seed] }
actions:
  - FA_create_file: { file_path: "\${run.tmp}/{{user}}.txt", content: "Grüße \${date:%Y}" }
    id: write
    expect: run.status == "passed"
  - AT_set_variable: [greeting, "{{user}}"]
    save_as: copy
`,
  'shop/seed.json':
    '{"actions": [["FA_create_dir", {"dir_path": "${run.tmp}/x"}], {"AT_set_variable": ["__proto__x", "ı İ i I"]}]}',
};
const sources = ['shop/login.yaml', 'shop/seed.json'];
const folders: string[] = [];
const project = (): string => {
  const folder = projectOf(files);
  folders.push(folder);
  return folder;
};

beforeAll(built, 120_000);
afterAll(() => folders.forEach(removeProject));

function fingerprint(folder: string, env: Readonly<Record<string, string>>, cwd = root): string {
  return execFileSync(
    process.execPath,
    [
      '--conditions=source',
      '--disable-warning=ExperimentalWarning',
      path.join(root, 'test/emit/fingerprint.ts'),
      folder,
      ...sources,
    ],
    { cwd, encoding: 'utf8', env: { ...process.env, ...env } },
  );
}

it('in two folders, time zones and locales, at two dates', () => {
  const first = fingerprint(project(), { TZ: 'UTC', LC_ALL: 'C' });
  const second = fingerprint(project(), { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }, '/');
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(second).toBe(first);
});

it('from two installations, flat and nested', async () => {
  const flat = installed(project(), 'node_modules/svc');
  const nested = installed(project(), 'node_modules/other/node_modules/svc');
  const [one, two, own] = await Promise.all(
    [flat, nested, root].map((packageFolder) => makePrograms(project(), sources, { packageFolder })),
  );
  expect(two?.manifest).toBe(one?.manifest);
  expect(own?.manifest).toBe(one?.manifest);
  expect(two?.emitted.map(({ program }) => program)).toEqual(one?.emitted.map(({ program }) => program));
});

it('with and without linked code at hand', async () => {
  const folder = project();
  const kept = new Map<string, string>();
  const reads: boolean[] = [];
  const cache: LinkCache = {
    read: (name) => {
      reads.push(kept.has(name));
      return kept.get(name);
    },
    write: (name, text) => void kept.set(name, text),
  };
  const [without, first, second] = [
    await makePrograms(folder, sources),
    await makePrograms(folder, sources, { cache }),
    await makePrograms(folder, sources, { cache }),
  ];
  expect([first.manifest, second.manifest]).toEqual([without.manifest, without.manifest]);
  expect(reads).toEqual(reads.map((_, index) => index >= reads.length / 2));
});

function installed(folder: string, place: string): string {
  const target = path.join(folder, place);
  mkdirSync(target, { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(target, 'package.json'));
  cpSync(path.join(root, 'dist'), path.join(target, 'dist'), { recursive: true });
  // What stands above an installation decides nothing.
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    '{"compilerOptions":{"target":"ES5","useDefineForClassFields":false,"jsx":"react"}}',
  );
  writeFileSync(path.join(folder, 'package.json'), '{"type":"commonjs","sideEffects":["*"]}');
  return target;
}
