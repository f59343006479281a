import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunRecord } from '#schemas/types/record.ts';

import { commandLine } from '../built.ts';
import { startSvc, type Said } from './svc.ts';
import { lacks } from '../fixtures/programs.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-signals-'));
  writeFileSync(join(folder, 'svc.config.yaml'), '{}');
  writeFileSync(
    join(folder, 'waits.yaml'),
    `actions:
- [FA_create_file, { file_path: begun.txt, content: x }]
- AT_get_variable: { name: none }
  expect: result == 1
  retry: { max_s: 60, interval_s: 0.05 }
- AT_clear_variables
teardown:
- [FA_create_file, { file_path: torn-down.txt, content: x }]
`,
  );
  writeFileSync(
    join(folder, 'hangs.yaml'),
    `actions:
- [FA_create_file, { file_path: begun.txt, content: x }]
- AT_get_variable: { name: none }
  expect: result == 1
  retry: { max_s: 60, interval_s: 0.05 }
teardown:
- AT_get_variable: { name: none }
  expect: result == 1
  retry: { max_s: 50, interval_s: 0.05 }
`,
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Sent = readonly NodeJS.Signals[];

/** Sends signals, one after another, as soon as the file is at work. */
async function interrupted(file: string, signals: Sent, pause = 0): Promise<Said> {
  for (const name of ['begun.txt', 'torn-down.txt', 'r.jsonl', 'report.json'])
    rmSync(join(folder, name), { force: true });
  const { child, ended } = startSvc(folder, [
    'run',
    file,
    '--record',
    'r.jsonl',
    '--reporter',
    'json=report.json',
    '--reporter',
    'human',
  ]);
  while (!existsSync(join(folder, 'begun.txt'))) await sleep(20);
  await sleep(200);
  for (const signal of signals) {
    child.kill(signal);
    await sleep(pause);
  }
  return ended;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function recordsLeft(): readonly RunRecord[] {
  return readFileSync(join(folder, 'r.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RunRecord);
}

describe('a run that is interrupted', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'by %s ends in order with %i',
    async (signal, status) => {
      const { exit, stdout } = await interrupted('waits.yaml', [signal]);
      expect(exit).toBe(status);
      expect(recordsLeft().map(({ id, status: state, error, reason }) => [id, state, error?.class, reason])).toEqual([
        ['waits.yaml#0', 'passed', undefined, undefined],
        ['waits.yaml#1', 'failed', 'environment', undefined],
        ['waits.yaml#2', 'skipped', undefined, `the run was stopped: ${signal}`],
        ['waits.yaml#teardown.0', 'passed', undefined, undefined],
      ]);
      expect(existsSync(join(folder, 'torn-down.txt'))).toBe(true);
      expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toMatchObject({
        status: 'failed',
        stopped: signal,
      });
      expect(stdout).toContain(`stopped: ${signal}`);
    },
    60_000,
  );

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'by two %s ends at once with %i',
    async (signal, status) => {
      const begin = Date.now();
      const { exit } = await interrupted('hangs.yaml', [signal, signal], 300);
      expect(exit).toBe(status);
      expect(Date.now() - begin).toBeLessThan(20_000);
      // The teardown was at work and has no record, but those before it are whole.
      expect(recordsLeft().map(({ id }) => id)).toEqual(['hangs.yaml#0', 'hangs.yaml#1']);
    },
    60_000,
  );

  test.skipIf(lacks('sh', 'head'))(
    'by a pipe that is closed ends quietly',
    async () => {
      const child = spawn('sh', ['-c', `"$@" | head -1`, 'sh', process.execPath, ...commandLine, 'commands', 'list'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      child.stdout.on('data', (chunk) => (said += String(chunk)));
      child.stderr.on('data', (chunk) => (said += String(chunk)));
      await new Promise((resolve) => child.on('close', resolve));
      expect(said.trim().split('\n')).toHaveLength(1);
    },
    60_000,
  );
});
