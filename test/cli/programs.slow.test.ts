import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunOutcome } from '#runtime/kernel/events.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { built } from '../built.ts';
import { svc } from './svc.ts';

let folder = '';

beforeAll(async () => {
  await built();
  folder = mkdtempSync(join(tmpdir(), 'svc-programs-'));
  const files = {
    'svc.config.yaml': '{}',
    'login.yaml': 'actions: [[AT_set_variable, { name: user, value: ada }]]\n',
    'order.yaml':
      'meta: { depends_on: [login], name: Order, tags: [shop] }\nactions:\n- AT_get_variable: { name: user }\n  name: greet\n  expect: result == "ada"\n- AT_set_variable: { name: long, value: "LONG" }\n'.replace(
        'LONG',
        'x'.repeat(5000),
      ),
    'fails.yaml':
      'actions:\n- AT_get_variable: { name: user, default: none }\n  tags: [broken]\n  expect: result == "ada"\n- AT_clear_variables\n',
    'plain.yaml': 'actions: [AT_clear_variables]\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { exit, stderr } = await svc(folder, ['compile', 'order.yaml', 'fails.yaml', '-o', 'dist']);
  expect(exit, stderr).toBe(0);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function outcomeOf(
  ...args: readonly string[]
): Promise<{ readonly exit: number; readonly outcome: RunOutcome; readonly records: readonly RunRecord[] }> {
  const { exit, stdout, stderr } = await svc(folder, ['run', ...args, '--json', '--record', 'r.jsonl']);
  expect(stdout, stderr).not.toBe('');
  const records = readFileSync(join(folder, 'r.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RunRecord);
  return { exit, outcome: JSON.parse(stdout) as RunOutcome, records };
}

const files = ({ files: all }: RunOutcome): readonly string[] => all.map(({ file, status }) => `${file} ${status}`);

describe('svc run of compiled programs', () => {
  test('runs a program with the files that it depends on', async () => {
    const { exit, outcome, records } = await outcomeOf('dist/order.mjs');
    expect([exit, files(outcome)]).toEqual([0, ['login.yaml passed', 'order.yaml passed']]);
    expect(records.map(({ id }) => id)).toEqual(['login.yaml#0', 'order.yaml#0', 'order.yaml#1']);
  });

  test('runs several and action files as one run: one id, unique records, one summary', async () => {
    const { exit, outcome, records } = await outcomeOf('plain.yaml', 'dist/order.mjs', 'dist/fails.mjs', 'login.yaml');
    expect([exit, outcome.status, outcome.counts]).toEqual([
      1,
      'failed',
      { passed: 5, flaky: 0, failed: 1, skipped: 1, dry_run: 0 },
    ]);
    expect(files(outcome)).toEqual([
      'plain.yaml passed',
      'login.yaml passed',
      'login.yaml passed',
      'order.yaml passed',
      'fails.yaml failed',
    ]);
    expect(new Set(records.map(({ run }) => run))).toEqual(new Set([outcome.run]));
    expect(new Set(records.map(({ id, occurrence }) => `${id} ${occurrence}`)).size).toBe(records.length);
  });

  test('selects among them by tag, name and the last run, and lists them', async () => {
    expect((await svc(folder, ['run', 'dist/order.mjs', 'dist/fails.mjs', '--tag', 'shop', '--list'])).stdout).toBe(
      'login.yaml  1 step  (needed by others)\norder.yaml  Order  2 steps\n',
    );
    expect(files((await outcomeOf('dist/order.mjs', 'dist/fails.mjs', '--grep', 'greet')).outcome)).toEqual([
      'login.yaml passed',
      'order.yaml passed',
    ]);
    await outcomeOf('dist/order.mjs', 'dist/fails.mjs');
    expect(files((await outcomeOf('dist/order.mjs', 'dist/fails.mjs', '--last-failed')).outcome)).toEqual([
      'fails.yaml failed',
    ]);
  });

  test('lets nothing more begin after a failure in an earlier one under --fail-fast', async () => {
    const { records } = await outcomeOf('dist/fails.mjs', 'dist/order.mjs', '--fail-fast');
    expect(records.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'fails.yaml#0 failed',
      'fails.yaml#1 skipped',
      'login.yaml#0 skipped',
      'order.yaml#0 skipped',
      'order.yaml#1 skipped',
    ]);
  });

  test('gives each a process of its own under --isolate', async () => {
    const { exit, outcome } = await outcomeOf('dist/order.mjs', 'plain.yaml', '--isolate', '--repeat', '2');
    expect([exit, outcome.counts.passed, outcome.files.length]).toEqual([0, 8, 6]);
  });

  test('refuses programs of other versions, and files that are none', async () => {
    const text = readFileSync(join(folder, 'dist/order.mjs'), 'utf8').replaceAll(
      /generator: "svc [^"]+"/g,
      'generator: "svc 0.0.1"',
    );
    writeFileSync(join(folder, 'dist/old.mjs'), text);
    writeFileSync(join(folder, 'dist/broken.mjs'), `${text.slice(0, 9000)}\n throw new Error('cut off')`);
    const old = await svc(folder, ['run', 'dist/old.mjs']);
    expect([old.exit, old.stderr]).toEqual([
      2,
      expect.stringMatching(/^error\[SVC90131\]: "dist\/old\.mjs" was made by svc 0\.0\.1, and this is svc /),
    ]);
    const broken = await svc(folder, ['run', 'dist/broken.mjs']);
    expect([broken.exit, broken.stderr.split('\n')[0]]).toEqual([
      2,
      'error[SVC90129]: "dist/broken.mjs" is not a program that svc compiled.',
    ]);
    expect((await svc(folder, ['run', 'dist/manifest.json.mjs'])).exit).toBe(2);
  });
});
