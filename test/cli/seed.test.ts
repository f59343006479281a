import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { RunOutcome } from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { built } from '../built.ts';
import { svc } from './svc.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
const fakes = '- AT_fake_uuid\n- AT_fake_email\n- AT_fake_word: [12]\n';
beforeAll(async () => {
  await built();
  folder = mkdtempSync(join(tmpdir(), 'svc-seed-'));
  for (const name of ['a', 'b', 'c']) writeFileSync(at(`${name}.yaml`), fakes);
  writeFileSync(at('own.yaml'), `meta: { seed: 11 }\nactions:\n${fakes}`);
  writeFileSync(at('bad.yaml'), `meta: { seed: -1 }\nactions:\n${fakes}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function values(...args: readonly string[]): Promise<{ readonly values: unknown; readonly outcome: RunOutcome }> {
  const { stdout, stderr, exit } = await svc(folder, ['run', ...args, '--json', '--record', 'r.jsonl']);
  expect(exit, stderr).toBe(0);
  const records = readFileSync(at('r.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RunRecord);
  return {
    values: records.map(({ id, result }) => `${id} ${JSON.stringify(result)}`).sort(),
    outcome: JSON.parse(stdout) as RunOutcome,
  };
}

it('the same seed gives the same values, one after another, at once, and in processes of their own', async () => {
  const files = ['a.yaml', 'b.yaml', 'c.yaml'];
  const one = await values(...files, '--seed', '42');
  expect(one.outcome.seed).toBe(42);
  expect((await values(...files, '--seed', '42', '--workers', '3')).values).toEqual(one.values);
  expect((await values(...files, '--seed', '42', '--isolate', '--workers', '2')).values).toEqual(one.values);
  expect((await values(...files, '--seed', '43')).values).not.toEqual(one.values);
  const drawn = await values(...files);
  expect(drawn.values).not.toEqual(one.values);
  expect((await values(...files, '--seed', String(drawn.outcome.seed))).values).toEqual(drawn.values);
});

it('stands in the summary where values depend on it', async () => {
  const { stdout } = await svc(folder, ['run', 'a.yaml']);
  expect(stdout).toMatch(/3 passed in .+, seed \d+\n/);
  const { stdout: given } = await svc(folder, ['run', 'a.yaml', '--seed', '5']);
  expect(given).toMatch(/, seed 5\n/);
  writeFileSync(at('plain.yaml'), '- AT_clear_variables\n');
  expect((await svc(folder, ['run', 'plain.yaml'])).stdout).not.toContain('seed');
});

it('is said by the file, or by the configuration', async () => {
  const own = await values('own.yaml');
  expect((await values('own.yaml')).values).toEqual(own.values);
  expect((await values('own.yaml', '--seed', '12')).values).not.toEqual(own.values);
  writeFileSync(at('svc.config.yaml'), 'seed: 42\n');
  const configured = await values('a.yaml');
  expect(configured.outcome.seed).toBe(42);
  rmSync(at('svc.config.yaml'));
  expect((await values('a.yaml', '--seed', '42')).values).toEqual(configured.values);
  const { stderr, exit } = await svc(folder, ['check', 'bad.yaml']);
  expect([exit, stderr]).toEqual([1, expect.stringContaining('a whole number from 0')]);
});

it('a compiled program takes it too', async () => {
  const { values: run } = await values('a.yaml', '--seed', '42');
  const { exit, stderr } = await svc(folder, ['compile', 'a.yaml', '-o', 'out']);
  expect(exit, stderr).toBe(0);
  expect((await values('out/a.mjs', '--seed', '42')).values).toEqual(run);
});
