import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { main } from '#compiler/cli/main.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-show-report-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A terminal with a program beside it that notes what it is asked to open. */
async function svc(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['xdg-open', 'open'])
    writeFileSync(join(bin, name), `#!/bin/sh\nprintf %s "$1" > "${join(folder, 'opened')}"\n`, { mode: 0o755 });
  let text = '';
  await main(args, {
    cwd: folder,
    env: { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, HOME: folder, ...env },
    out: (piece) => void (text += piece),
    err: (piece) => void (text += piece),
    input: () => Promise.resolve(new Uint8Array()),
    lines: async function* () {},
    colours: { out: false, err: false },
    isTerminal: true,
    columns: 80,
  });
  return text;
}

// Windows opens pages by a program of its own folder, which no test can take the place of.
test.skipIf(process.platform === 'win32')('a page is opened where somebody looks, and nowhere else', async () => {
  writeFileSync(join(folder, 'a.yaml'), 'actions:\n  - [AT_clear_variables]\n');
  await svc(['run', 'a.yaml', '--reporter', 'html']);
  const opened = join(folder, 'opened');
  const shown = (await svc(['show-report'], { CI: '1' })).trim();
  expect(existsSync(opened)).toBe(false);
  expect(readFileSync(join(folder, shown), 'utf8')).toContain('<h1>Passed</h1>');
  await svc(['show-report', '--path']);
  expect(existsSync(opened)).toBe(false);
  await svc(['show-report']);
  expect(readFileSync(opened, 'utf8')).toBe(join(folder, shown));
});

test('a report of another project is shown by a path of it, and says so where there is none here', async () => {
  mkdirSync(join(folder, 'shop/.git'), { recursive: true });
  writeFileSync(join(folder, 'shop/a.yaml'), 'actions:\n  - [AT_clear_variables]\n');
  await svc(['run', 'shop/a.yaml', '--reporter', 'tap=x.tap']);
  expect(await svc(['show-report'])).toContain('svc show-report PATH');
  expect(await svc(['show-report', 'shop'])).toMatch(/^TAP version 14\n/);
  expect(await svc(['show-report', 'shop/a.yaml', '--path'])).toMatch(
    /^shop\/\.svc\/reports\/[0-9a-f]{32}\/result\.tap\n$/,
  );
});

test('reports of the newest runs stay, as many as the configuration says; what else stands there is left alone', async () => {
  writeFileSync(join(folder, 'svc.config.yaml'), 'keep_reports: 2\n');
  writeFileSync(join(folder, 'a.yaml'), 'actions:\n  - [AT_clear_variables]\n');
  const home = join(folder, '.svc/reports');
  mkdirSync(join(home, 'mine'), { recursive: true });
  const shown: string[] = [];
  for (let count = 0; count < 3; count++) {
    await svc(['run', 'a.yaml', '--reporter', 'tap=x.tap']);
    shown.push((await svc(['show-report', '--path'])).trim());
  }
  expect(shown.map((file) => existsSync(join(folder, file)))).toEqual([false, true, true]);
  expect(readdirSync(home).filter((name) => /^[0-9a-f]{32}$/.test(name))).toHaveLength(2);
  expect(existsSync(join(home, 'mine'))).toBe(true);
});
