import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { main } from '#compiler/cli/main.ts';
import type { Terminal } from '#schemas/types/cli.ts';

import { commandLine } from '../built.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-unsafe-')));
  writeFileSync(join(folder, 'a.yaml'), text);
});
afterEach(() => rmSync(folder, { recursive: true }));

const text = `actions:
  # kept
  - FA_copy_file: { source: 'a\\b.txt', target: ' c.txt' }
    name: ' '
  - FA_copy_file: { source: 'd\\e.txt', target: f.txt }
`;

/** Lints with answers to the questions in their order; yields what was asked and the file afterwards. */
async function answered(answers: readonly string[], ...options: readonly string[]) {
  let said = '';
  const terminal: Terminal = {
    cwd: folder,
    env: {},
    out: () => undefined,
    err: (part) => void (said += part),
    lines: async function* () {
      yield* answers;
    },
    input: () => Promise.resolve(new Uint8Array()),
    colours: { out: false, err: false },
    isTerminal: false,
    columns: 80,
  };
  const exit = await main(['lint', 'a.yaml', '--fix', ...options], terminal);
  return { exit, said, asked: said.split('Apply it?').length - 1, after: readFileSync(join(folder, 'a.yaml'), 'utf8') };
}

test('nothing unsafe is written, and nothing asked, unless that is wanted', async () => {
  expect(await answered(['y', 'y', 'y', 'y'])).toMatchObject({ asked: 0, after: text });
});

test('each one is shown with what it changes, and asked for; others stay', async () => {
  const { asked, said, after } = await answered(['n', 'y', 'n', 'n'], '--unsafe');
  expect(asked).toBe(4);
  expect(said).toContain('+  - FA_copy_file');
  expect(after).toBe(text.replace("' c.txt'", "'c.txt'"));
});

test('all, none any more, and no answer', async () => {
  const { asked, after } = await answered(['a'], '--unsafe');
  expect(asked).toBe(1);
  expect(after).toContain('# kept');
  expect(after).not.toMatch(/\\|' c|name/);
  writeFileSync(join(folder, 'a.yaml'), text);
  expect(await answered(['y', 'q'], '--unsafe')).toMatchObject({ asked: 2 });
  writeFileSync(join(folder, 'a.yaml'), text);
  expect(await answered([], '--unsafe')).toMatchObject({ asked: 1, after: text });
});

test('answers may be piped', async () => {
  const child = spawn(process.execPath, [...commandLine, 'lint', 'a.yaml', '--fix', '--unsafe'], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.end('n\nn\nn\ny\n');
  const exit = await new Promise((resolve) => child.on('exit', resolve));
  expect(exit).toBe(0);
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(text.replace("'d\\e.txt'", "'d/e.txt'"));
});
