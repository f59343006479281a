import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { built, root } from '../built.ts';

import { makePrograms, projectOf, removeProject } from './make-programs.ts';

let folder = '';
let manifest = '';
beforeAll(async () => {
  await built();
  folder = projectOf({
    'main.yaml':
      'actions:\n  - FA_validate: { action_list: [[FA_create_dir, [x]]] }\n  - FA_execute_files: { execute_files_list: [other.yaml] }\n',
    'serves.yaml':
      'actions:\n  - { FA_http_server_start: { port: 0 }, save_as: server }\n  - FA_client_execute: { base_url: "http://127.0.0.1:{{server.port}}", actions: [[FA_create_file, [remote.txt, hello]]] }\n',
    'other.yaml': '- FA_create_dir: { dir_path: made }\n',
  });
  ({ manifest } = await makePrograms(folder, ['main.yaml', 'serves.yaml']));
}, 120_000);
afterEach(() => rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true }));
afterAll(() => removeProject(folder));

function run(program = 'main'): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join('dist', `${program}.mjs`)], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

it('a program that compiles action lists names the package, and says so when it is missing', () => {
  expect(JSON.parse(manifest)).toMatchObject({
    programs: [{ externals: [expect.stringMatching(/^svc@/)] }, { externals: [expect.stringMatching(/^svc@/)] }],
  });
  const { status, output } = run();
  expect(status).toBe(1);
  expect(output).toContain('SVC80041');
});

it('and compiles with the package beside it', () => {
  mkdirSync(path.join(folder, 'node_modules'));
  symlinkSync(root, path.join(folder, 'node_modules/svc'));
  expect(run()).toMatchObject({ status: 0 });
  expect(run('serves')).toMatchObject({ status: 0 });
  expect(readFileSync(path.join(folder, 'remote.txt'), 'utf8')).toBe('hello');
});
