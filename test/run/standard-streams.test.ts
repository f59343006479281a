import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { lacks } from '../fixtures/programs.ts';

const project = join(import.meta.dirname, '../..');
let root = '';
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'svc-streams-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

/**
 * Runs code that has `standardOutput` and `standardError` at hand, through a shell line in which `$@` is that program.
 */
function run(code: string, line = '"$@"', stdout: 'pipe' | 'ignore' | number = 'pipe') {
  const text = `import { standardError, standardOutput } from '#runtime/program/standard-streams.ts';\n${code}`;
  const {
    status,
    stdout: output,
    stderr,
  } = spawnSync(
    'sh',
    ['-c', line, 'sh', process.execPath, '--conditions=source', '--input-type=module', '--eval', text],
    {
      cwd: project,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', stdout, 'pipe'],
      encoding: 'utf8',
      maxBuffer: 1 << 24,
    },
  );
  return { status, output, stderr };
}

const million =
  "standardOutput.write('x'.repeat(1_000_000)); standardOutput.write('end'); standardOutput.whenWritten(() => process.exit(3));";

// Windows has no shell of this kind, and Node's own streams are used there.
describe.skipIf(process.platform === 'win32' || lacks('sh'))('what a run writes', () => {
  test('all of it arrives through a pipe, before the process ends', () => {
    const { status, output, stderr } = run(million);
    expect([status, output.length, output.slice(-4), stderr]).toEqual([3, 1_000_003, 'xend', '']);
  });

  test('also through one that somebody has made not to wait, and that is read slowly', () => {
    expect(run(`void process.stdout.writable; ${million}`, '"$@" | { sleep 0.3; wc -c; }').output.trim()).toBe(
      '1000003',
    );
  });

  test('all of it arrives in a file, at its end', () => {
    const file = openSync(join(root, 'out'), 'a');
    expect(run(million, '"$@"', file)).toMatchObject({ status: 3, stderr: '' });
    expect(run("standardOutput.write('more')", '"$@"', file).status).toBe(0);
    closeSync(file);
    expect(readFileSync(join(root, 'out'), 'utf8').slice(-8)).toBe('xendmore');
  });

  test('a reader that goes away ends the process quietly', () => {
    const { output, stderr } = run(
      "standardOutput.write('first\\n'); setInterval(() => standardOutput.write('more\\n'), 5);",
      '"$@" | head -n 1',
    );
    expect([output, stderr]).toEqual(['first\n', '']);
  });

  test.runIf(process.platform === 'linux')('a disk that is full is told of, once', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = run(
      "process.on('uncaughtException', ({ code }) => { standardError.write(code); process.exitCode = 70; }); standardOutput.write('a'); standardOutput.write('b');",
      '"$@"',
      full,
    );
    closeSync(full);
    expect([status, stderr]).toEqual([70, 'ENOSPC']);
  });

  test('neither pipes nor the null device are terminals, nor do they load the streams of Node', () => {
    const code =
      "standardOutput.write(''); standardError.write(JSON.stringify([standardOutput.isTerminal, standardOutput.isColourful, standardOutput.columns, process.moduleLoadList.filter((name) => / (?:tty|net|internal\\/fs\\/sync_write_stream)$/.test(name))]));";
    for (const to of ['pipe', 'ignore'] as const)
      expect(JSON.parse(run(code, '"$@"', to).stderr)).toEqual([false, false, 80, []]);
  });
});
