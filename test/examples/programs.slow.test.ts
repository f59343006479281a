import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { built, root } from '../built.ts';
import { svc } from '../cli/svc.ts';
import { exampleFiles, hasBrowser, needsBrowser, projectOf } from './example-files.ts';

let copy = '';
beforeAll(async () => {
  await built();
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'svc-example-programs-')));
  mkdirSync(join(copy, '.git'));
  cpSync(join(root, 'examples'), join(copy, 'examples'), { recursive: true });
  // Programs ask for packages that stay outside of them.
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}, 300_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

async function runProgram(file: string, cwd: string): Promise<{ readonly exit: number; readonly said: string }> {
  const child = spawn(process.execPath, [file], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const exit = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  return { exit, said };
}

if (!hasBrowser) console.warn('examples of the browser are not run: install chromium and chromium-driver');

describe('every example, compiled', () => {
  test.each(exampleFiles)(
    '%s',
    async (file) => {
      const folder = join(copy, projectOf(file));
      const { exit, stderr } = await svc(folder, ['compile', join(copy, file), '-o', 'dist']);
      expect(exit, stderr).toBe(0);
      if (needsBrowser(file) && !hasBrowser) return;
      const program = join(folder, 'dist', basename(file).replace(/\.ya?ml$/, '.mjs'));
      const { exit: status, said } = await runProgram(program, folder);
      expect(status, said).toBe(0);
    },
    120_000,
  );
});

describe('examples of the browser', () => {
  test.skipIf(!hasBrowser).each(exampleFiles.filter(needsBrowser))(
    '%s runs in Chromium',
    async (file) => {
      const { exit, stdout, stderr } = await svc(copy, [
        'run',
        file,
        '--reporter',
        'human',
        '--reporter',
        'html=report.html',
      ]);
      expect(exit, stdout + stderr).toBe(0);
    },
    120_000,
  );
});
