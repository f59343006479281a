import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { failureOf, session } from '../../call.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-files-'));
});
afterEach(() => rm(root, { recursive: true }));

const slow = ['FA_rate_limit_acquire', { name: 'slow', rate: 0.01, burst: 1 }];
const quick = (name: string): unknown[] => ['FA_create_file', { file_path: join(root, name) }];

describe('FA_with_quota', () => {
  it('cancels the action that runs when time is up, and skips the rest', async () => {
    await using unit = await session();
    // What is loaded at its first use must not take from the time.
    await unit.call('FA_with_quota', { then: [quick('a'), slow] });
    const begin = performance.now();
    const { failure } = await unit.step('FA_with_quota', {
      then: [quick('a'), slow, quick('b')],
      max_seconds: 0.4,
      label: 'nightly',
    });
    expect(performance.now() - begin).toBeLessThan(9000);
    expect(failure?.facts).toMatchObject({
      name: 'QuotaExceededException',
      message: expect.stringMatching(/^nightly: [\d.]+ s is more than the limit of 0\.4 s\.$/) as unknown,
    });
    expect(failure?.options.cause).toBeUndefined();
    expect(unit.records.slice(3).map(({ status, error }) => [status, error?.name])).toEqual([
      ['passed', undefined],
      ['failed', 'QuotaExceededException'],
      ['skipped', undefined],
      ['failed', 'QuotaExceededException'],
    ]);
  });

  it('keeps a first error as cause; without running out of time that is all', async () => {
    await using unit = await session();
    const broken = ['FA_file_checksum', { path: join(root, 'none') }];
    const late = await unit.step('FA_with_quota', { then: [broken, slow, slow], max_seconds: 0.5 });
    expect(late.failure).toMatchObject({
      name: 'QuotaExceededException',
      options: { cause: { name: 'FileNotExistsException' } },
    });
    const { failure } = await unit.step('FA_with_quota', { then: [broken], max_seconds: 60 });
    expect(failure).toMatchObject({
      facts: { code: 'SVC80032' },
      options: { cause: { name: 'FileNotExistsException' } },
    });
  });

  it('bounds the size of single results in bytes', async () => {
    await using unit = await session({ variables: { text: 'ä'.repeat(10) } });
    const read = (max_bytes: number): ReturnType<typeof unit.step> =>
      unit.step('FA_with_quota', { then: [['AT_get_variable', { name: 'text' }]], max_bytes });
    expect([(await read(0)).status, (await read(20)).status]).toEqual(['passed', 'passed']);
    expect((await read(19)).failure?.facts.message).toBe('action: 20 bytes is more than the limit of 19 bytes.');
  });
});

describe('FA_quota_check_size', () => {
  it('measures files and numbers; equal is fine', async () => {
    await using unit = await session();
    await writeFile(join(root, 'a'), '12345');
    expect(await unit.call('FA_quota_check_size', { path: join(root, 'a'), max_bytes: 5 })).toBe(5);
    expect(await unit.call('FA_quota_check_size', { nbytes: 7, max_bytes: 0 })).toBe(7);
    expect(
      (await failureOf(unit.call('FA_quota_check_size', { path: join(root, 'a'), max_bytes: 4, label: 'upload' })))
        .facts.message,
    ).toBe('upload: 5 bytes is more than the limit of 4 bytes.');
    expect(
      (await failureOf(unit.call('FA_quota_check_size', { path: join(root, 'a'), nbytes: 1, max_bytes: 4 }))).facts
        .code,
    ).toBe('SVC87011');
    expect(
      (await failureOf(unit.call('FA_quota_check_size', { path: join(root, 'none'), max_bytes: 4 }))).facts.name,
    ).toBe('FileNotExistsException');
  });

  it('adds up a folder: no links, no name twice, no pipes', async () => {
    await using unit = await session();
    await mkdir(join(root, 'in/deep'), { recursive: true });
    await writeFile(join(root, 'in/a'), '12345');
    await writeFile(join(root, 'in/deep/b'), '123');
    await writeFile(join(root, 'outside'), '1'.repeat(1000));
    await link(join(root, 'in/a'), join(root, 'in/deep/same'));
    await symlink('../outside', join(root, 'in/link'));
    await symlink('..', join(root, 'in/up'));
    execFileSync('mkfifo', [join(root, 'in/pipe')]);
    expect(await unit.call('FA_quota_check_size', { path: join(root, 'in'), max_bytes: 8 })).toBe(8);
    expect(
      (await failureOf(unit.call('FA_quota_check_size', { path: join(root, 'in'), max_bytes: 7 }))).facts.name,
    ).toBe('QuotaExceededException');
  });
});
