import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { built, root } from '../built.ts';
import { makePrograms, projectOf, removeProject } from '../emit/make-programs.ts';

const leaving = {
  'at once': 'export const leave = () => process.exit(0);',
  'by a name that it imported': "import { exit } from 'node:process';\nexport const leave = () => exit(0);",
  'without a status': 'export const leave = () => process.exit();',
  'later, while the step waits': 'export const leave = () => new Promise(() => setTimeout(() => process.exit(0), 50));',
  'and catches what that throws':
    'export const leave = async () => { try { process.exit(0); } catch {} await new Promise((done) => setTimeout(done, 20)); };',
  'when it is loaded': 'process.exit(0);\nexport const leave = () => 1;',
  'by waiting for what never comes': 'export const leave = () => new Promise(() => {});',
  'by an error that nobody catches':
    "export const leave = () => new Promise(() => setTimeout(() => { throw new Error('nobody hears'); }, 20));",
  'by a rejection that nobody catches':
    "export const leave = () => new Promise(() => setTimeout(() => void Promise.reject(new Error('nobody hears')), 20));",
};
const actions = (module: string): string => `
meta: { modules: [./${module}.mjs] }
setup: [FA_create_dir: { dir_path: made }]
actions:
- ${module}_leave
- FA_create_file: { file_path: after.txt, content: x }
teardown: [FA_create_file: { file_path: torn-down.txt, content: x }]
`;

const svc = path.join(root, 'dist/bin/svc.js');
const folders: string[] = [];
beforeAll(built, 300_000);
afterAll(() => folders.forEach(removeProject));

function project(files: Readonly<Record<string, string>>): string {
  const folder = projectOf(files);
  folders.push(folder);
  return folder;
}

function run(
  folder: string,
  args: readonly string[],
): { readonly status: number | null; readonly output: string; readonly statuses: readonly string[] } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...args, '--record', 'record.jsonl', '--reporter', 'junit=junit.xml'],
    { cwd: folder, encoding: 'utf8', timeout: 60_000 },
  );
  const records = readFileSync(path.join(folder, 'record.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly status: string });
  return { status, output: stdout + stderr, statuses: records.map((record) => record.status) };
}

describe('a module that ends the process', () => {
  const ways: readonly (readonly [string, (folder: string) => Promise<readonly string[]>])[] = [
    [
      'of a program',
      async (folder) => {
        await makePrograms(folder, ['a.yaml'], { reporters: ['junit'] });
        return ['dist/a.mjs'];
      },
    ],
    ['of svc', () => Promise.resolve([svc, 'run', 'a.yaml'])],
  ];
  describe.each(ways)('%s', (_, make) => {
    it.each(Object.entries(leaving))(
      '%s: the run has failed, teardown and records are there',
      async (_, text) => {
        const folder = project({ 'a.yaml': actions('mod'), 'mod.mjs': text });
        const { status, statuses, output } = run(folder, await make(folder));
        expect(
          {
            status,
            statuses,
            after: existsSync(path.join(folder, 'after.txt')),
            torn: existsSync(path.join(folder, 'torn-down.txt')),
            junit: existsSync(path.join(folder, 'junit.xml')),
          },
          output,
        ).toEqual({
          status: 1,
          statuses: ['passed', expect.stringMatching(/^(passed|failed)$/), 'skipped', 'passed'],
          after: false,
          torn: true,
          junit: true,
        });
      },
      120_000,
    );
  });

  it.each(['at once', 'later, while the step waits', 'by an error that nobody catches'] as const)(
    'of one file %s: the run has failed, teardown and records are there',
    (way) => {
      const folder = project({ 'a.yaml': actions('mod'), 'mod.mjs': leaving[way] });
      const { status, statuses, output } = run(folder, [svc, 'run', '--isolate', 'a.yaml']);
      expect({ status, statuses, torn: existsSync(path.join(folder, 'torn-down.txt')) }, output).toEqual({
        status: 1,
        statuses: ['passed', expect.stringMatching(/^(passed|failed)$/), 'skipped', 'passed'],
        torn: true,
      });
    },
    120_000,
  );

  it('by the way below `process.exit`: what was recorded is there, and the run has failed', async () => {
    const folder = project({
      'a.yaml': actions('mod'),
      'mod.mjs': 'export const leave = () => { process.reallyExit(0); };',
    });
    await makePrograms(folder, ['a.yaml'], { reporters: ['junit'] });
    const { status, statuses, output } = run(folder, ['dist/a.mjs']);
    expect({ status, statuses }, output).toEqual({ status: 1, statuses: ['passed'] });
    expect(output).toContain('process');
  });
});

describe('a module that exports `then`', () => {
  const files = {
    'a.yaml':
      'meta: { modules: [./thenable.mjs] }\nactions:\n- thenable_one\n- thenable_then: [5]\n- WR_add_package_to_executor: { package: ./thenable.mjs }\n',
    'thenable.mjs':
      "export const then = (value) => (typeof value === 'function' ? value({ one: () => 'taken' }) : value * 2);\nexport const one = () => 'own';\n",
  };
  it('is a module like others: nobody calls it but the step that names it', async () => {
    const folder = project(files);
    await makePrograms(folder, ['a.yaml'], { reporters: ['junit'] });
    spawnSync(process.execPath, ['dist/a.mjs', '--record', 'record.jsonl'], { cwd: folder });
    const results = readFileSync(path.join(folder, 'record.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { result?: unknown }).result);
    expect(results.slice(0, 2)).toEqual(['own', 10]);
  });
});
