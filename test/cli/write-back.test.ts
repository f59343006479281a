import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { svc } from './svc.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-write-back-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const old = '# kept\r\n- WR_quit   # a comment\r\n';
const now = '# kept\r\n- WR_quit_all   # a comment\r\n';

describe.each([
  ['lint', '--fix'],
  ['migrate', '--write'],
] as const)('svc %s %s', (...way) => {
  test('keeps the byte order mark, line breaks, permission bits and links of a file', async () => {
    const path = join(folder, 'a.yaml');
    writeFileSync(path, `\ufeff${old}`);
    chmodSync(path, 0o640);
    symlinkSync('a.yaml', join(folder, 'link.yaml'));
    expect((await svc(folder, [...way, 'link.yaml'])).exit).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(`\ufeff${now}`);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(lstatSync(join(folder, 'link.yaml')).isSymbolicLink()).toBe(true);
  });

  test('leaves a file alone that needs nothing', async () => {
    const path = join(folder, 'a.yaml');
    writeFileSync(path, now);
    const before = statSync(path).mtimeMs;
    await svc(folder, [...way, 'a.yaml']);
    expect(statSync(path).mtimeMs).toBe(before);
  });

  test('gives standard input back once, changed or not, so that it can stand in a pipe', async () => {
    expect((await svc(folder, [...way, '-'], { input: old })).stdout).toBe(now);
    expect((await svc(folder, [...way, '-'], { input: `\ufeff${now}` })).stdout).toBe(`\ufeff${now}`);
    expect((await svc(folder, [...way, '-'], { input: 'actions: [\n' })).stdout).toBe('actions: [\n');
    expect((await svc(folder, [...way, '-'], { input: Buffer.from([0x2d, 0x20, 0xff, 0xfe]) })).stdout).toBe('');
  });

  test('has one use for standard output', async () => {
    const { exit, stderr, stdout } = await svc(folder, [...way, '--json', '-'], { input: old });
    expect([exit, stdout, stderr.split('\n')[0]]).toEqual([
      2,
      '',
      `error[SVC90133]: ${way[1]} and "json" would both write to standard output.`,
    ]);
  });
});

test('svc lint --fix repeats until one fix has made room for the next', async () => {
  writeFileSync(
    join(folder, 'a.yaml'),
    'actions:\n  # svc-ignore no-hard-wait, no-disabled-tls, no-empty-block: nothing of it\n  - WR_quit\n  - AT_set_variable: { name: a, value: 1, timeout_s: 3 }\n',
  );
  expect((await svc(folder, ['lint', '--fix', 'a.yaml'])).exit).toBe(0);
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(
    'actions:\n  - WR_quit_all\n  - AT_set_variable: { name: a, value: 1 }\n    timeout_s: 3\n',
  );
});
