import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { built, root } from '../built.ts';
import { makePrograms, projectOf, removeProject } from '../emit/make-programs.ts';

let folder = '';
beforeAll(async () => {
  await built();
  folder = projectOf({ 'a.yaml': '- FA_create_file: { file_path: told.txt, content: x }\n' });
  await makePrograms(folder, ['a.yaml']);
}, 300_000);
afterAll(() => removeProject(folder));

describe('a program whose plan was edited', () => {
  it.each([
    ['by itself', (file: string) => [file]],
    ['by svc', (file: string) => [path.join(root, 'dist/bin/svc.js'), 'run', file]],
  ])('is not run %s', (_, words) => {
    const text = readFileSync(path.join(folder, 'dist/a.mjs'), 'utf8');
    writeFileSync(path.join(folder, 'dist/edited.mjs'), text.replace('told.txt', 'else.txt'));
    const { status, stderr } = spawnSync(process.execPath, words('dist/edited.mjs'), { cwd: folder, encoding: 'utf8' });
    expect([status, existsSync(path.join(folder, 'else.txt'))], stderr).toEqual([2, false]);
    expect(stderr).toContain('plan');
    expect(spawnSync(process.execPath, words('dist/a.mjs'), { cwd: folder }).status).toBe(0);
  });
});
