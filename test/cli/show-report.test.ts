import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
