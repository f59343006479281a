import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { RunOutcome } from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { inCopy, recordsOf } from '../run/run-case.ts';
import { sampled } from '../hostile/sampled.ts';
import { cases } from '../run/cases.ts';
import { startSvc, svc } from './svc.ts';

describe('svc run --isolate leaves the records that a run in one process leaves', () => {
  test.each(sampled(cases, 0.5, (name) => name))(
    '%s',
    async (name) => {
      const folder = join(import.meta.dirname, '../run', name);
      await inCopy(folder, async (copy, { args = [], env = {} }) => {
        const { exit, stderr } = await svc(
          copy,
          ['run', 'input.yaml', '--isolate', '--record', 'record.jsonl', '--reporter', 'json=report.json', ...args],
          { env },
        );
        expect(exit, stderr).toBe(Number(readFileSync(join(folder, 'exit'), 'utf8')));
        expect(await recordsOf(copy)).toEqual(JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8')));
      });
    },
    30_000,
  );
});

describe('a file with a process of its own', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-isolate-'));
    await write({ 'svc.config.yaml': '{}' });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  }

  const recordsLeft = (): readonly RunRecord[] =>
    readFileSync(join(folder, 'r.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as RunRecord);

  test('hands its variables on, with what is secret of them', async () => {
    await write({
      'a.yaml':
        'actions:\n- AT_set_variable: { name: pin, value: "s3cret-pin" }\n- AT_get_variable: { name: pin }\n  save_as: { name: token, secret: true }\n- [AT_set_variable, { name: list, value: [1, { a: null }] }]\n',
      'b.yaml':
        'meta: { depends_on: [a.yaml] }\nactions:\n- AT_get_variable: { name: token }\n  expect: result == "s3cret-pin"\n- AT_get_variable: { name: list }\n  expect: len(result) == 2\n',
    });
    const { exit, stdout } = await svc(folder, ['run', 'b.yaml', '--isolate', '--record', 'r.jsonl', '-v']);
    expect(exit).toBe(0);
    const [, , , token, list] = recordsLeft();
    expect([token?.result, list?.result]).toEqual(['***', [1, { a: null }]]);
    expect(stdout).toContain('5 passed');
    expect(readFileSync(join(folder, 'r.jsonl'), 'utf8').split('\n').slice(3).join('')).not.toContain('s3cret-pin');
  });

  test('tells the same way of failures, attempts, notices and pictures, and shares the folder of the run', async () => {
    await write({
      'a.yaml': 'actions: [[FA_create_file, { file_path: "${run.tmp}/a.txt", content: x }]]\n',
      'b.yaml':
        'meta: { depends_on: [a] }\nactions:\n- AT_get_variable: { name: none, default: 1 }\n  expect: result == 2\n  retry: { max_attempts: 2, interval_s: 0.01 }\n- FA_file_checksum: { path: "${run.tmp}/a.txt" }\n  on_failure: continue\n',
      'c.yaml':
        '- AT_get_variable: { name: none, default: text }\n  save_as:\n  - t\n  - { name: n, match: "9" }\n- AT_fake_uuid:\n  when: num(t) == 1\n- if: num(t) == 1\n  then: [AT_fake_uuid]\n',
    });
    const steady = (text: string): string => text.replaceAll(/\d+(?:\.\d+)? m?s/g, 'T');
    const files = ['b.yaml', 'c.yaml', '-v', '--seed', '1'];
    const [near, far] = [await svc(folder, ['run', ...files]), await svc(folder, ['run', ...files, '--isolate'])];
    expect(steady(far.stdout)).toBe(steady(near.stdout));
    expect([near.exit, far.exit]).toEqual([1, 1]);
  });

  test('counts repetitions on, so that each record is unique', async () => {
    await write({ 'a.yaml': 'actions: [[AT_set_variable, { name: a, value: 1 }]]\n' });
    await svc(folder, ['run', 'a.yaml', '--isolate', '--repeat', '3', '--record', 'r.jsonl']);
    expect(recordsLeft().map(({ occurrence = 0 }) => occurrence)).toEqual([0, 1, 2]);
  });

  test('takes only the chosen steps along, and stops the others at the first failure', async () => {
    await write({
      'a.yaml':
        'actions:\n- AT_get_variable: { name: a, default: 1 }\n  tags: [x]\n  expect: result == 2\n- AT_clear_variables\n',
      'b.yaml': 'actions:\n- AT_clear_variables:\n  tags: [x]\n',
    });
    const { exit } = await svc(folder, [
      'run',
      'a.yaml',
      'b.yaml',
      '--isolate',
      '--tag',
      'x',
      '--fail-fast',
      '--record',
      'r.jsonl',
    ]);
    expect(exit).toBe(1);
    expect(recordsLeft().map(({ id, status }) => [id, status])).toEqual([
      ['a.yaml#0', 'failed'],
      ['b.yaml#0', 'skipped'],
    ]);
  });

  test('that is killed has failed, what it did not come to is skipped, and the other files go on', async () => {
    await write({
      'a.yaml':
        'actions:\n- AT_set_variable: { name: a, value: 1 }\n- AT_get_variable: { name: none }\n  expect: result == 1\n  retry: { max_s: 60, interval_s: 0.05 }\n- AT_clear_variables\n',
      'b.yaml': 'actions: [AT_clear_variables]\n',
    });
    const { child, ended } = startSvc(folder, [
      'run',
      'a.yaml',
      'b.yaml',
      '--isolate',
      '--json',
      '--record',
      'r.jsonl',
    ]);
    const isolated = await childAtWork(child.pid ?? 0, join(folder, 'r.jsonl'));
    process.kill(isolated, 'SIGKILL');
    const { stdout, exit } = await ended;
    const outcome = JSON.parse(stdout) as RunOutcome;
    expect(exit).toBe(1);
    expect(outcome.files.map(({ file, status, reason }) => [file, status, reason])).toEqual([
      ['a.yaml', 'failed', 'The process of this file ended before its work was done: SIGKILL.'],
      ['b.yaml', 'passed', undefined],
    ]);
    expect(
      recordsLeft()
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, status }) => [id, status]),
    ).toEqual([
      ['a.yaml#0', 'passed'],
      ['a.yaml#1', 'skipped'],
      ['a.yaml#2', 'skipped'],
      ['b.yaml#0', 'passed'],
    ]);
  }, 60_000);

  test('ends with the run: interrupted it tears down, and nothing of it stays', async () => {
    await write({
      'a.yaml':
        'actions:\n- AT_set_variable: { name: a, value: 1 }\n- AT_get_variable: { name: none }\n  expect: result == 1\n  retry: { max_s: 60, interval_s: 0.05 }\nteardown:\n- [FA_create_file, { file_path: torn-down.txt, content: x }]\n',
    });
    const { child, ended } = startSvc(folder, ['run', 'a.yaml', '--isolate', '--record', 'r.jsonl']);
    const isolated = await childAtWork(child.pid ?? 0, join(folder, 'r.jsonl'));
    child.kill('SIGINT');
    expect((await ended).exit).toBe(130);
    expect(recordsLeft().map(({ id, status, error }) => [id, status, error?.class])).toEqual([
      ['a.yaml#0', 'passed', undefined],
      ['a.yaml#1', 'failed', 'environment'],
      ['a.yaml#teardown.0', 'passed', undefined],
    ]);
    expect(() => process.kill(isolated, 0)).toThrow();
  }, 60_000);
});

/** The process that a process has started, once its first step has left a record. */
async function childAtWork(pid: number, record: string): Promise<number> {
  for (let tries = 0; tries < 800; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!existsSync(record) || statSync(record).size === 0) continue;
    const [busy] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
    if (busy !== undefined) return busy;
  }
  throw new Error('no process was started');
}
