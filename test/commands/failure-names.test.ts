import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { failureOf, session } from './call.ts';

let root = '';
const at = (name: string): string => join(root, name);
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-names-'));
  await mkdir(at('folder'));
  await writeFile(at('text'), 'a\n');
  await writeFile(at('latin'), Buffer.from([0xe4, 0xff]));
  await writeFile(at('broken.json'), '{');
  await writeFile(at('cut.tgz'), Buffer.from('1f8b080000000000000300', 'hex'));
  await writeFile(at('cut.zip'), 'PK\u0003\u0004cut');
});
afterAll(() => rm(root, { recursive: true }));

const key = 'ab'.repeat(32);

/** The name that each failure has by the specification and the catalogue, whatever code of the project threw it. */
const table: readonly (readonly [command: string, what: string, params: () => object, name: string])[] = [
  ['FA_grep', 'no folder', () => ({ root: at('none'), pattern: 'a' }), 'GrepException'],
  ['FA_grep', 'a file for a folder', () => ({ root: at('text'), pattern: 'a' }), 'GrepException'],
  ['FA_grep', 'a broken expression', () => ({ root: at('folder'), pattern: '(', regex: true }), 'GrepException'],
  ['FA_diff_files', 'no file', () => ({ left: at('none'), right: at('text') }), 'DiffException'],
  ['FA_diff_files', 'unreadable text', () => ({ left: at('latin'), right: at('text') }), 'DiffException'],
  ['FA_diff_dirs', 'no tree', () => ({ left: at('none'), right: at('folder') }), 'DiffException'],
  ['FA_apply_patch', 'no target', () => ({ target: at('none'), patch: '' }), 'DiffException'],
  [
    'FA_encoding_convert',
    'no file',
    () => ({ file_path: at('none'), target_path: at('out'), source_encoding: 'utf-8', target_encoding: 'utf-16' }),
    'FileNotExistsException',
  ],
  [
    'FA_encoding_convert',
    'unreadable text',
    () => ({ file_path: at('latin'), target_path: at('out'), source_encoding: 'utf-8', target_encoding: 'utf-16' }),
    'TextOpsException',
  ],
  [
    'FA_encoding_convert',
    'an unknown encoding',
    () => ({ file_path: at('text'), target_path: at('out'), source_encoding: 'utf-8', target_encoding: 'klingon' }),
    'ValidationException',
  ],
  ['FA_line_count', 'unreadable text', () => ({ file_path: at('latin'), encoding: 'utf-8' }), 'TextOpsException'],
  [
    'FA_file_merge',
    'a missing part',
    () => ({ parts: [at('none')], target_path: at('out') }),
    'FileNotExistsException',
  ],
  ['FA_encrypt_file', 'no source', () => ({ source: at('none'), target: at('out'), key }), 'CryptoException'],
  ['FA_encrypt_file', 'a folder', () => ({ source: at('folder'), target: at('out'), key }), 'CryptoException'],
  ['FA_decrypt_file', 'no envelope', () => ({ source: at('text'), target: at('out'), key }), 'CryptoException'],
  ['FA_version_save', 'no file', () => ({ root: at('versions'), path: at('none') }), 'VersioningException'],
  ['FA_version_save', 'a folder', () => ({ root: at('versions'), path: at('folder') }), 'VersioningException'],
  ['FA_trash_send', 'no source', () => ({ path: at('none'), trash_dir: at('bin') }), 'VersioningException'],
  ['FA_write_manifest', 'no root', () => ({ root: at('none'), manifest_path: at('m') }), 'DirNotExistsException'],
  ['FA_verify_manifest', 'no manifest', () => ({ root: at('folder'), manifest_path: at('none') }), 'ManifestException'],
  ['FA_archive_detect', 'no file', () => ({ path: at('none') }), 'ArchiveException'],
  ['FA_archive_list', 'no archive', () => ({ path: at('text') }), 'ArchiveException'],
  ['FA_archive_extract', 'a cut archive', () => ({ source: at('cut.zip'), target: at('out') }), 'ArchiveException'],
  ['FA_extract_tar', 'a cut archive', () => ({ source: at('cut.tgz'), target_dir: at('out') }), 'TarException'],
  ['FA_extract_tar', 'no archive', () => ({ source: at('text'), target_dir: at('out') }), 'TarException'],
  ['FA_extract_tar', 'no file', () => ({ source: at('none'), target_dir: at('out') }), 'FileNotExistsException'],
  ['FA_json_get', 'no file', () => ({ path: at('none'), key_path: 'a' }), 'JsonEditException'],
  ['FA_json_get', 'broken JSON', () => ({ path: at('broken.json'), key_path: 'a' }), 'JsonEditException'],
  ['FA_json_set', 'a folder', () => ({ path: at('folder'), key_path: 'a', value: 1 }), 'JsonEditException'],
  ['FA_yaml_get', 'no file', () => ({ path: at('none'), key_path: 'a' }), 'FileNotExistsException'],
  ['FA_csv_read', 'no file', () => ({ path: at('none') }), 'FileNotExistsException'],
  ['FA_jsonl_iter', 'a broken line', () => ({ path: at('broken.json') }), 'DataOpsException'],
  ['FA_copy_dir', 'no folder', () => ({ dir_path: at('none'), target_dir_path: at('out') }), 'DirNotExistsException'],
  ['FA_copy_file', 'no file', () => ({ file_path: at('none'), target_path: at('out') }), 'FileNotExistsException'],
  ['AT_mock_received', 'none runs', () => ({}), 'MockServerException'],
  ['AT_start_mock_server', 'no configuration', () => ({ config: at('none') }), 'MockServerException'],
  ['FA_schedule_remove', 'an unknown name', () => ({ name: 'none' }), 'SchedulerException'],
  ['FA_watch_stop', 'an unknown name', () => ({ name: 'none' }), 'TriggerException'],
  ['FA_quota_check_size', 'too large', () => ({ nbytes: 2, max_bytes: 1 }), 'QuotaExceededException'],
  ['FA_audit_record', 'no log', () => ({ action: 'x' }), 'AuditException'],
];

describe('a failure is called what the specification calls it', () => {
  it.each(table)('%s: %s', async (command, _what, params, name) => {
    await using unit = await session({ root });
    const failure = await failureOf(unit.call(command, params() as never));
    expect([failure.facts.name, failure.name]).toEqual([name, name]);
  });

  it('in records too, and its code stays', async () => {
    await using unit = await session();
    await unit.step('FA_grep', { root: at('none'), pattern: 'a' });
    expect(unit.records[0]?.error).toMatchObject({ name: 'GrepException', code: 'SVC85001' });
  });

  it('and keeps its own name where it is about the run', async () => {
    await using unit = await session();
    const ended = await unit.step('FA_trash_send', { path: at('text'), trash_dir: at('bin') }, { timeout_s: 0 });
    expect(ended.failure?.facts.name ?? 'passed').toMatch(/^(?:step-timed-out|passed)$/);
  });
});
