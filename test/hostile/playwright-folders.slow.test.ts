import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { chromium as library } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { startSvc, type Said } from '../cli/svc.ts';
import { processesHolding } from '../commands/files/local/processes-holding.ts';
import { describeInChromium } from '../fixtures/chromium.ts';

let root = '';
let temporary = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'h-')));
  // Short: what the browser makes there is a socket.
  temporary = join(root, 't');
  mkdirSync(temporary);
  writeFileSync(join(root, 'svc.config.yaml'), '{}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, actions: readonly unknown[]): void =>
  writeFileSync(join(root, name), JSON.stringify({ actions }));
const run = (name: string, env: Readonly<Record<string, string>> = {}): Promise<Said> =>
  startSvc(root, ['run', name], { TMPDIR: temporary, ...env }).ended;
const left = (): readonly string[] => readdirSync(temporary).filter((name) => !name.startsWith('node-'));

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const begin = performance.now();
  while (!(await holds())) {
    if (performance.now() - begin > 30_000) throw new Error('it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describeInChromium('what the second engine puts down', () => {
  it.skipIf(process.platform !== 'linux')(
    'goes with the browser, and after a kill with the next run',
    async () => {
      write('a.json', [['WR_pw_launch']]);
      const sound = await run('a.json');
      expect([sound.exit, left()], sound.stdout).toEqual([0, []]);

      write('b.json', [
        ['WR_pw_launch'],
        ['FA_create_file', { file_path: 'begun' }],
        ['FA_run_shell', { command: ['sleep', '60'] }],
      ]);
      const { child, ended } = startSvc(root, ['run', 'b.json'], { TMPDIR: temporary });
      await until(() => existsSync(join(root, 'begun')));
      const [folder = ''] = left().filter((name) => name.startsWith('svc-browser-'));
      expect(readdirSync(join(temporary, folder)).some((name) => name.startsWith('playwright_'))).toBe(true);
      child.kill('SIGKILL');
      await ended;
      expect(left().filter((name) => !name.startsWith('svc-'))).toEqual([]);
      write('c.json', ['AT_clear_variables']);
      // The browser ends a little after us, and until then it writes.
      await until(async () => (await processesHolding(folder)).length === 0);
      expect((await run('c.json')).exit).toBe(0);
      expect(left()).toEqual([]);
    },
    120_000,
  );

  it.skipIf(process.platform !== 'linux')(
    'is not the browser that is started, once a step has written into its folder',
    async () => {
      const path = join(root, 'browsers', library.executablePath().replace(/^.*?(?=[a-z_]+-\d+\/)/, ''));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `#!/bin/sh\necho > ${join(root, 'pwned')}\n`);
      chmodSync(path, 0o755);
      const around = { PLAYWRIGHT_BROWSERS_PATH: join(root, 'browsers'), CHROME_BIN: '' };
      write('a.json', [
        ['FA_create_file', { file_path: join(dirname(path), 'libnew.so'), content: 'x' }],
        ['WR_pw_launch'],
      ]);
      const written = await run('a.json', around);
      expect([written.exit, existsSync(join(root, 'pwned'))]).toEqual([1, false]);
      expect(written.stdout + written.stderr).toContain('SVC81016');
      rmSync(join(dirname(path), 'libnew.so'));
      write('b.json', [['WR_pw_launch']]);
      const before = await run('b.json', around);
      // That one was there before the run: it is started, and is none.
      expect([before.exit, existsSync(join(root, 'pwned'))]).toEqual([1, true]);
    },
    120_000,
  );
});
