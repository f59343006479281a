import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { root } from '../built.ts';
import { svc } from '../cli/svc.ts';
import { exampleFiles, needsBrowser } from './example-files.ts';

let copy = '';
beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'svc-examples-')));
  mkdirSync(join(copy, '.git'));
  cpSync(join(root, 'examples'), join(copy, 'examples'), { recursive: true });
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('the examples', () => {
  test.each(exampleFiles)('%s has no findings, nothing to migrate, and a plan', async (file) => {
    const linted = await svc(copy, ['lint', file, '--json']);
    expect([
      linted.exit,
      (JSON.parse(linted.stdout) as { readonly diagnostics: readonly unknown[] }).diagnostics,
    ]).toEqual([0, []]);
    expect((await svc(copy, ['migrate', file, '--check'])).exit).toBe(0);
    for (const format of ['text', 'json', 'mermaid', 'dot'])
      expect((await svc(copy, ['plan', file, '--format', format])).exit, format).toBe(0);
  });

  test.each(exampleFiles.filter((file) => !needsBrowser(file)))('%s runs', async (file) => {
    const { exit, stdout, stderr } = await svc(copy, ['run', file]);
    expect(exit, stdout + stderr).toBe(0);
    expect(stdout, 'nothing is noted or warned of').not.toMatch(/^(?:note(?!: the run stays for )|warning): /m);
    expect(stderr).toBe('');
  });

  test.each(exampleFiles.filter((file) => !needsBrowser(file)))('%s can be shown without an effect', async (file) => {
    const { exit, stdout, stderr } = await svc(copy, ['run', file, '--dry-run']);
    expect(exit, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/\d+ shown/);
  });

  test('the project has an environment of its own for staging', async () => {
    const { exit, stdout } = await svc(copy, ['run', 'examples/project', '--env', 'staging', '--reporter', 'json']);
    expect(exit, stdout).toBe(0);
  });

  test('are listed in their README', () => {
    const readme = readFileSync(join(root, 'examples/README.md'), 'utf8');
    for (const file of exampleFiles) {
      const below = file.slice('examples/'.length);
      expect(readme.includes(`\`${below}\``) || readme.includes(`\`${below.split('/')[0]}/\``), below).toBe(true);
    }
  });
});
