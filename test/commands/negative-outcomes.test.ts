import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import { parseCondition, prepareConditions } from '#grammar/condition/parse.ts';
import { registry } from '#schemas/generated/registry.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';

import { startHttp } from './api/servers.ts';
import { session, type Session } from './session.ts';

/**
 * Effect on the step of a result that says "no": it fails (the command was to verify or to change something),
 * the command throws with a report of its own, it passes since the command only asks, it passes since there was
 * nothing to change, the lists in it decide, or it is never negative.
 */
type Kind = 'fails' | 'throws' | 'asks' | 'not needed' | 'lists decide' | 'never';

const table: Readonly<Record<string, Kind>> = {
  AT_check_contract_against_openapi: 'fails',
  AT_check_openapi_coverage: 'fails',
  AT_check_spec_against_tests: 'fails',
  AT_run_load_test: 'fails',
  AT_verify_contract: 'fails',
  FA_integrity_check: 'fails',
  FA_notify_send: 'fails',
  FA_rotate_backups: 'fails',
  FA_sync_dir: 'fails',
  FA_verify_checksum: 'fails',
  FA_verify_manifest: 'fails',
  AT_mock_received: 'asks',
  AT_probe_rate_limit: 'asks',
  AT_race_requests: 'asks',
  FA_integrity_list: 'asks',
  FA_integrity_start: 'asks',
  FA_integrity_stop: 'asks',
  FA_integrity_stop_all: 'asks',
  FA_fs_exists: 'asks',
  FA_is_within: 'asks',
  FA_plugin_list: 'asks',
  FA_schedule_add: 'asks',
  FA_schedule_list: 'asks',
  FA_schedule_remove: 'asks',
  FA_schedule_remove_all: 'asks',
  FA_smb_exists: 'asks',
  FA_watch_list: 'asks',
  FA_watch_start: 'asks',
  FA_watch_stop: 'asks',
  FA_watch_stop_all: 'asks',
  FA_webdav_exists: 'asks',
  WR_element_is_displayed: 'asks',
  WR_generate_all_reports: 'asks',
  WR_llm_has_callable: 'asks',
  WR_summarise_run: 'asks',
  WR_element_is_enabled: 'asks',
  WR_element_is_selected: 'asks',
  WR_pw_element_is_checked: 'asks',
  WR_pw_element_is_enabled: 'asks',
  WR_pw_element_is_visible: 'asks',
  FA_audit_close: 'not needed',
  FA_client_ping: 'asks',
  FA_config_reload: 'not needed',
  FA_config_watch_stop: 'not needed',
  FA_json_delete: 'not needed',
  FA_notify_unregister: 'not needed',
  FA_progress_cancel: 'not needed',
  FA_remove_dir_tree: 'not needed',
  FA_remove_file: 'not needed',
  FA_tracing_init: 'not needed',
  FA_tracing_shutdown: 'not needed',
  FA_yaml_delete: 'not needed',
  WR_delete_snapshot: 'not needed',
  AT_execute_action: 'lists decide',
  WR_execute_action: 'lists decide',
  WR_execute_files: 'lists decide',
  WR_run_with_dataset: 'lists decide',
  WR_tracker_create_failure_issues: 'throws',
  AT_execute_files: 'lists decide',
  FA_execute_action: 'lists decide',
  FA_execute_action_dag: 'lists decide',
  FA_execute_action_parallel: 'lists decide',
  FA_execute_files: 'lists decide',
  FA_if_exists: 'lists decide',
  FA_if_newer: 'lists decide',
  FA_if_size_gt: 'lists decide',
  FA_with_circuit_breaker: 'lists decide',
  FA_with_db_lock: 'lists decide',
  FA_with_file_lock: 'lists decide',
  FA_with_quota: 'lists decide',
  FA_with_rate_limit: 'lists decide',
  FA_with_retry: 'lists decide',
  FA_download_file: 'never',
  WR_element_screenshot: 'never',
  WR_pw_network_responses: 'never',
};

await catalogue.prepare(catalogue.allNames);
const running = (await catalogue.all()).filter(({ name }) => registry[name]);

/** A result that is true or false, or that tells of errors. */
function canBeNegative(returns: unknown): boolean {
  const schema = (returns ?? {}) as { readonly type?: unknown; readonly const?: unknown };
  const tells = /"(?:ok|errors|failed|error|failures)":/.test(JSON.stringify(schema));
  return tells || (schema.type === 'boolean' && schema.const === undefined);
}

describe('a result that says no', () => {
  it('is classed for every command that can give one', () => {
    const negative = running
      .filter(({ returns, verdict }) => verdict || canBeNegative(returns))
      .map(({ name }) => name);
    expect(negative.sort()).toEqual(Object.keys(table).sort());
  });

  it('fails the step where a verdict is declared, and only there', () => {
    const declared = running.filter(({ verdict }) => verdict).map(({ name }) => name);
    expect(declared.sort()).toEqual(
      Object.keys(table)
        .filter((name) => table[name] === 'fails')
        .sort(),
    );
  });
});

describe('the status of a step', () => {
  let root = '';
  let unit: Session;
  const at = (name: string): string => join(root, name);
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'svc-negative-'));
    unit = await session({ settings: { gates: { private: true } } });
    await mkdir(at('tree'));
    await writeFile(at('tree/a'), 'a');
    await writeFile(at('a.json'), '{"a": 1}');
    await writeFile(at('a.yaml'), 'a: 1\n');
  });
  afterEach(async () => {
    await unit.end();
    await rm(root, { recursive: true });
  });

  it.each([
    ['FA_verify_checksum', (): object => ({ path: at('tree/a'), expected: '0'.repeat(64) })],
    ['FA_notify_send', (): object => ({ subject: 'nobody listens' })],
    ['FA_integrity_check', (): object => ({ root: at('tree'), manifest_path: at('none') })],
    ['FA_integrity_check', (): object => ({ root: at('tree'), manifest_path: at('m.json') })],
    ['FA_verify_manifest', (): object => ({ root: at('tree'), manifest_path: at('m.json') })],
  ])('of %s is failed, unless an expectation decides', async (name, params) => {
    await unit.call('FA_write_manifest', { root: at('tree'), manifest_path: at('m.json') });
    await writeFile(at('tree/a'), 'changed');
    expect((await unit.step(name, params() as never)).status).toBe('failed');
    expect((await unit.step(name, params() as never, { expect: [] })).status).toBe('passed');
  });

  it('of a verification whose condition does not hold tells what the verification found', async () => {
    await prepareConditions(['result.ok']);
    const { tree } = parseCondition('result.ok');
    const expectation = { expect: [{ source: 'result.ok', tree: tree as ConditionTree }] };
    const params = { root: at('tree'), manifest_path: at('m.json') };
    await unit.call('FA_write_manifest', params);
    expect((await unit.step('FA_verify_manifest', params, expectation)).status).toBe('passed');
    await writeFile(at('tree/a'), 'changed');
    const { failure } = await unit.step('FA_verify_manifest', params, expectation);
    expect(failure?.message).toBe('"result.ok" does not hold.');
    expect(failure?.facts.help).toContain('m.json');
  });

  it('of a notification is failed where no sink took it, and passed where one did', async () => {
    await using refusing = await startHttp((_request, response) => response.writeHead(500).end());
    await using taking = await startHttp((_request, response) => response.end());
    await unit.call('FA_notify_register', { type: 'webhook', name: 'bad', options: { url: refusing.url } });
    const failed = await unit.step('FA_notify_send', { subject: 'one' });
    expect([failed.status, failed.failure?.facts.name]).toEqual(['failed', 'NotificationException']);
    expect(failed.failure?.options.actual).toEqual({ bad: expect.stringContaining('500') });
    await unit.call('FA_notify_register', { type: 'webhook', name: 'good', options: { url: taking.url } });
    const passed = await unit.step('FA_notify_send', { subject: 'two' });
    expect([passed.status, passed.result]).toEqual(['passed', { bad: expect.stringContaining('500'), good: 'sent' }]);
    expect((await unit.step('FA_notify_send', { subject: 'two' })).status).toBe('passed');
  });

  it.each([
    ['FA_remove_file', (): object => ({ file_path: at('none') })],
    ['FA_remove_dir_tree', (): object => ({ dir_path: at('none') })],
    ['FA_json_delete', (): object => ({ path: at('a.json'), key_path: 'b' })],
    ['FA_yaml_delete', (): object => ({ path: at('a.yaml'), key_path: 'b' })],
    ['WR_delete_snapshot', (): object => ({ name: 'none', snapshot_dir: at('tree') })],
    ['FA_notify_unregister', (): object => ({ name: 'none' })],
    ['FA_progress_cancel', (): object => ({ name: 'none' })],
    ['FA_audit_close', (): object => ({})],
    ['FA_tracing_shutdown', (): object => ({})],
    ['FA_fs_exists', (): object => ({ url: 'memory:none' })],
    ['FA_is_within', (): object => ({ base: at('tree'), user_path: at('a.json') })],
  ])('of %s is passed: there was nothing to do', async (name, params) => {
    const { status, result } = await unit.step(name, params() as never);
    expect([status, result]).toEqual(['passed', false]);
  });
});
