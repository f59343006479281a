import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { MetricsRegistry } from '#runtime/services/metrics/registry.ts';

import { session } from '../../session.ts';
import { lacks } from '../../../fixtures/programs.ts';
import { runActions } from '../run-actions.ts';

/** Samples as `name{labels}` and number. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

describe('the registry', () => {
  test('counts outcomes and adds up buckets', () => {
    const registry = new MetricsRegistry();
    for (const [seconds, ok] of [
      [0, true],
      [0.005, true],
      [0.0051, false],
      [0.7, true],
      [60, true],
      [61, true],
      [-5, false],
      [Number.NaN, true],
    ] as const)
      registry.record('FA_x', seconds, ok);
    const { text, contentType } = registry.render();
    expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
    const samples = samplesOf(text);
    expect(samples.get('svc_actions_total{action="FA_x",status="ok"}')).toBe(6);
    expect(samples.get('svc_actions_total{action="FA_x",status="error"}')).toBe(2);
    const buckets = [
      '0.005',
      '0.01',
      '0.025',
      '0.05',
      '0.1',
      '0.25',
      '0.5',
      '1.0',
      '2.5',
      '5.0',
      '10.0',
      '30.0',
      '60.0',
      '+Inf',
    ].map((end) => samples.get(`svc_action_duration_seconds_bucket{action="FA_x",le="${end}"}`));
    expect(buckets).toEqual([4, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 7, 8]);
    expect(samples.get('svc_action_duration_seconds_count{action="FA_x"}')).toBe(8);
    expect(samples.get('svc_action_duration_seconds_sum{action="FA_x"}')).toBeCloseTo(121.7101);
    expect(samples.size).toBe(2 + 14 + 2);
  });

  test('sorts, escapes, and writes help and type once, also where nothing was counted', () => {
    const registry = new MetricsRegistry();
    expect(registry.render().text).toBe(
      '# HELP svc_actions_total Actions run, by outcome.\n# TYPE svc_actions_total counter\n# HELP svc_action_duration_seconds Wall time spent in an action.\n# TYPE svc_action_duration_seconds histogram\n',
    );
    registry.record('b"\\\n', 1, true);
    registry.record('a', 1, true);
    registry.record('', 1, false);
    registry.record(undefined as never, 1, false);
    const { text } = registry.render();
    expect(text.match(/^svc_actions_total.*$/gm)).toEqual([
      'svc_actions_total{action="a",status="ok"} 1',
      'svc_actions_total{action="b\\"\\\\\\n",status="ok"} 1',
      'svc_actions_total{action="unknown",status="error"} 2',
    ]);
    expect(text.match(/^# (HELP|TYPE)/gm)).toHaveLength(4);
  });

  test('lets nobody make series without end', () => {
    const registry = new MetricsRegistry();
    for (let index = 0; index < 20_000; index++) registry.record(`made_up_${index}`, 0, true);
    const samples = samplesOf(registry.render().text);
    expect(samples.get('svc_actions_total{action="unknown",status="ok"}')).toBe(15_000);
  });

  test.skipIf(lacks('promtool'))('writes what promtool takes without a word', () => {
    const registry = new MetricsRegistry();
    expect(execFileSync('promtool', ['check', 'metrics'], { input: registry.render().text, encoding: 'utf8' })).toBe(
      '',
    );
    for (const action of ['FA_a', 'odd "\\\n é name'])
      for (let index = 0; index < 20; index++) registry.record(action, index ** 3 / 100, index % 3 > 0);
    expect(execFileSync('promtool', ['check', 'metrics'], { input: registry.render().text, encoding: 'utf8' })).toBe(
      '',
    );
  });
});

test('every executed step counts once, also those before the first question, nested and failed ones', async () => {
  await using unit = await session();
  await unit.step('FA_file_checksum', { path: '/nowhere/at/all' });
  await unit.call('FA_is_within', { base: '/a', user_path: 'b' });
  await unit.call('FA_is_within', { base: '/a', user_path: '../b' });
  const first = samplesOf(String(await unit.call('FA_metrics_render')));
  expect(first.get('svc_actions_total{action="FA_is_within",status="ok"}')).toBe(2);
  expect(first.get('svc_actions_total{action="FA_file_checksum",status="error"}')).toBe(1);
  expect(first.has('svc_actions_total{action="FA_metrics_render",status="ok"}')).toBe(false);
  const again = samplesOf(String(await unit.call('FA_metrics_render')));
  expect(again.get('svc_actions_total{action="FA_metrics_render",status="ok"}')).toBe(1);
  expect(again.get('svc_actions_total{action="FA_is_within",status="ok"}')).toBe(2);
  const executed = unit.records.slice(0, -1).filter(({ status }) => status === 'passed' || status === 'failed');
  expect(
    [...again].filter(([name]) => name.startsWith('svc_actions_total')).reduce((sum, [, count]) => sum + count, 0),
  ).toBe(executed.length);
});

test('in a run, skipped steps and dry runs do not count', async () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-metrics-'));
  try {
    const { records, errors } = await runActions(root, [
      { FA_create_dir: { dir_path: join(root, 'a') }, when: '1 == 2' },
      ['FA_execute_action', { action_list: [['FA_create_dir', { dir_path: join(root, 'b') }]], dry_run: true }],
      ['FA_if_exists', { path: root, then: [['FA_create_dir', { dir_path: join(root, 'c') }]] }],
      ['FA_metrics_render'],
    ]);
    expect(errors).toEqual([]);
    const counters = [...samplesOf(String(records.at(-1)?.result))].filter(([name]) =>
      name.startsWith('svc_actions_total'),
    );
    expect(counters).toEqual([
      ['svc_actions_total{action="FA_create_dir",status="ok"}', 1],
      ['svc_actions_total{action="FA_execute_action",status="ok"}', 1],
      ['svc_actions_total{action="FA_if_exists",status="ok"}', 1],
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
