import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';

import type { RunRecord } from '#schemas/types/record.ts';

import { failureOf, session } from '../call.ts';
import { svc } from '../../cli/svc.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-policy-'));
});
afterEach(() => rm(root, { recursive: true }));

const LATER = { extract: ['AT_extract_and_store', { response: {}, path: 'x', name: 'a' }] } as const;

describe('the retry policy', () => {
  it('tries again what may go away, with longer and longer waits, and tells the last failure', async () => {
    await using unit = await session({ unit: { source: 'session.yaml' } });
    await unit.call('WR_set_retry_policy', { retries: 2, backoff: 0.01 });
    await unit.step(...LATER.extract);
    expect(unit.records.at(-1)).toMatchObject({ status: 'failed', attempts: 3 });
    const waits = unit.events.flatMap((event) => (event.kind === 'attempt-failed' ? [event.wait_ms] : []));
    expect(waits).toEqual([10, 20]);
    await unit.call('WR_set_retry_policy', {});
    await unit.step(...LATER.extract);
    expect(unit.records.at(-1)).toMatchObject({ attempts: 1 });
  });

  it('leaves alone what another attempt cannot help, what must not be repeated, and steps with a retry of their own', async () => {
    await using unit = await session({ settings: { gates: { shell: false } } });
    await unit.call('WR_set_retry_policy', { retries: 3 });
    await unit.step('FA_run_shell', { command: ['true'] });
    expect(unit.records.at(-1)).toMatchObject({ status: 'failed', attempts: 1 });
    await unit.step('WR_execute_action', { action_list: [LATER.extract] });
    expect(unit.records.slice(-2).map(({ attempts }) => attempts)).toEqual([4, 1]);
    await unit.step('WR_notify_webhook', { url: 'http://127.0.0.1:1/', payload: {} });
    expect(unit.records.at(-1)).toMatchObject({ status: 'failed', attempts: 1 });
    await unit.step(...LATER.extract, { retry: { max_attempts: 2, interval_s: 0 } });
    expect(unit.records.at(-1)).toMatchObject({ attempts: 2 });
  });
});

test('a step that asks for tries of its own is not tried again at a closed gate', async () => {
  await using unit = await session({ settings: { gates: { script: true } } });
  await unit.call('WR_set_allow_arbitrary_script', { enabled: false });
  const retry = { max_attempts: 3, interval_s: 0 };
  const { failure } = await unit.step('WR_execute_script', { script: 'return 1' }, { retry });
  expect(failure?.facts.name).toBe('gate-closed');
  expect(unit.records.at(-1)).toMatchObject({ status: 'failed', attempts: 1 });
});

describe('the function that wraps steps', () => {
  const wrap = async (text: string): Promise<void> => writeFile(join(root, 'spans.mjs'), text);
  const open = (): ReturnType<typeof session> => session({ root, settings: { gates: { packages: true } } });
  const factory = './spans.mjs#span';

  it('enters once for all attempts, leaves with the outcome, and sees steps of lists', async () => {
    await wrap(`export const log = globalThis.policyLog = [];
      export const span = (command) => ({ enter: () => log.push('> ' + command), leave: (end) => log.push(end) });`);
    await using unit = await open();
    await unit.call('WR_set_action_span_factory', { factory });
    await unit.call('AT_set_variable', { name: 'a', value: 1 });
    await unit.step(...LATER.extract, { retry: { max_attempts: 2, interval_s: 0 } });
    await unit.call('WR_execute_action', { action_list: [['AT_get_variable', { name: 'a' }]] });
    await unit.call('WR_set_action_span_factory', { factory: null });
    await unit.call('AT_get_variable', { name: 'a' });
    const { policyLog: log } = globalThis as unknown as { readonly policyLog: readonly unknown[] };
    expect(log).toMatchObject([
      '> AT_set_variable',
      { status: 'passed', attempts: 1 },
      '> AT_extract_and_store',
      { status: 'failed', attempts: 2, error: { name: expect.any(String) as string } },
      '> WR_execute_action',
      '> AT_get_variable',
      { status: 'passed', value: 1 },
      { status: 'passed' },
      '> WR_set_action_span_factory',
    ]);
  });

  it('changes no result by what it throws, which is told once', async () => {
    await wrap(`export const span = (command) => {
      if (command === 'AT_set_variable') throw new Error('no collector');
      return async () => { throw new Error('no end'); };
    };`);
    const unit = await open();
    await unit.call('WR_set_action_span_factory', { factory });
    await unit.call('AT_set_variable', { name: 'a', value: 1 });
    await unit.call('AT_get_variable', { name: 'a' });
    await unit.end();
    const notices = unit.events.flatMap((event) =>
      event.kind === 'notice' && /wraps/.test(event.text) ? [event.text] : [],
    );
    expect(notices).toEqual(['The function that wraps each step failed: no collector']);
  });

  it('needs the gate for packages', async () => {
    await wrap('export const span = () => {};');
    await using unit = await session({ root, settings: { gates: { packages: false } } });
    const failure = await failureOf(unit.call('WR_set_action_span_factory', { factory }));
    expect(failure.facts.code).toBe('SVC80024');
  });
});

describe('WR_run_with_dataset', () => {
  const run = async (file: string): Promise<{ readonly records: readonly RunRecord[]; readonly exit: number }> => {
    await writeFile(join(root, 'rows.yaml'), file);
    const said = await svc(root, ['run', 'rows.yaml', '--record', 'rows.jsonl']);
    const text = await readFile(join(root, 'rows.jsonl'), 'utf8').catch(() => '');
    const records = text.split('\n').filter((line) => line !== '');
    return { records: records.map((line) => JSON.parse(line) as RunRecord), exit: said.exit };
  };

  it('runs the list for each row with its own variables, goes on after failures, and keeps what the last row set', async () => {
    const { records, exit } = await run(`actions:
  - AT_set_variable: { name: seen, value: none }
  - WR_run_with_dataset:
      rows: [{ id: 1, path: gone }, { id: 2, path: x }]
      action_data:
        - AT_get_variable: { name: seen }
        - AT_extract_and_store: { response: { x: 1 }, path: '\${ROW.path}', name: found }
        - AT_set_variable: { name: seen, value: '\${ROW.id}' }
    on_failure: continue
  - AT_get_variable: { name: seen }
`);
    expect(exit).toBe(1);
    const told = records.map(({ command, row, status, result }) => [command.slice(3, 11), row, status, result]);
    expect(told.slice(1, 7)).toEqual([
      ['get_vari', 1, 'passed', 'none'],
      ['extract_', 1, 'failed', undefined],
      ['set_vari', 1, 'passed', undefined],
      ['get_vari', 2, 'passed', 'none'],
      ['extract_', 2, 'passed', 1],
      ['set_vari', 2, 'passed', undefined],
    ]);
    expect(records[7]?.result).toMatchObject([
      { row: 1, failed: 1, steps: [{ status: 'ok' }, { status: 'failed' }, { status: 'ok' }] },
      { row: 2, failed: 0 },
    ]);
    expect(told[8]).toEqual(['get_vari', undefined, 'passed', 2]);
  });

  it('looks at the columns of all rows before the first one runs', async () => {
    const { records, exit } = await run(`actions:
  - AT_set_variable: { name: rows, value: [{ id: 1 }, { other: 2 }] }
  - WR_run_with_dataset:
      rows: '{{rows}}'
      action_data: [{ AT_get_variable: { name: '\${ROW.id}', default: 1 } }]
`);
    expect(exit).toBe(1);
    expect(records.map(({ command, error }) => [command, error?.code])).toEqual([
      ['AT_set_variable', undefined],
      ['WR_run_with_dataset', 'SVC80014'],
    ]);
  });
});
