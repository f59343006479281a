import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ContentHash } from '#stdlib/files/backends/filesync/content-hash.ts';

import { ownTime } from '../../../fixtures/own-time.ts';
import { startDropbox, type Dropbox } from '../../../fixtures/drives/dropbox.ts';
import { session, type Session } from '../../session.ts';

const open = { settings: { gates: { private: true } } };
let served: Dropbox;
let folder = '';
beforeEach(async () => {
  served = await startDropbox();
  folder = await mkdtemp(join(tmpdir(), 'svc-filesync-'));
  await writeFile(join(folder, 'a.txt'), 'content');
});
afterEach(async () => {
  await served[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function connected(token = 'good-token'): Promise<Session> {
  const unit = await session(open);
  await unit.call('FA_filesync_later_init', { access_token: token, endpoint_url: served.url });
  return unit;
}
const at = (name: string): string => join(folder, name);
const send = async (unit: Session, remote_path: string, local_path = at('a.txt')): Promise<unknown> =>
  await unit.call('FA_filesync_upload_file', { local_path, remote_path });

test('the digest of the service is that of its blocks', () => {
  const digest = new ContentHash();
  expect(new ContentHash().hex()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  const blocks = [new Uint8Array(4194304).fill(3), new Uint8Array([1, 2])];
  for (const block of blocks) digest.update(block);
  const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
  const whole = sha256(Buffer.concat(blocks.map(sha256))).toString('hex');
  expect(digest.hex()).toBe(whole);
});

describe('FA_filesync', () => {
  test('adds the slash everywhere, and deletes folders whole but never the top', async () => {
    await using unit = await connected();
    await send(unit, 'x/a b#1%ü.txt');
    for (const path of ['x/a b#1%ü.txt', '/X/A B#1%ü.txt'])
      await unit.call('FA_filesync_download_file', { remote_path: path, target_path: at('new/back.txt') });
    expect(await readFile(at('new/back.txt'), 'utf8')).toBe('content');
    for (const remote_path of ['', '/', 'x'])
      expect(await unit.call('FA_filesync_list_folder', { remote_path })).toHaveLength(1);
    for (const remote_path of ['/', '//'])
      await expect(unit.call('FA_filesync_delete_path', { remote_path })).rejects.toMatchObject({
        facts: { code: 'SVC88111' },
      });
    await unit.call('FA_filesync_delete_path', { remote_path: 'x' });
    expect(await unit.call('FA_filesync_list_folder', {})).toEqual([]);
  });

  test.each([
    ['a token that is unknown', { status: 401, body: { error_summary: 'expired_access_token/..' } }, 'SVC88102'],
    ['no room', { status: 409, body: { error_summary: 'path/insufficient_space/..' } }, 'SVC88112'],
    ['no right', { status: 409, body: { error_summary: 'path/no_write_permission/.' } }, 'SVC88103'],
    ['a scope that is missing', { status: 403, body: 'missing_scope' }, 'SVC88103'],
  ])('names %s', async (_what, reply, code) => {
    await using unit = await connected();
    served.faults.push({ reply });
    await expect(send(unit, '/a.txt')).rejects.toMatchObject({ facts: { code } });
    expect(served.tree.at(['a.txt'])).toBeUndefined();
  });

  test('waits as long as Retry-After says, also in the middle of a session, and counts what had arrived', async () => {
    await using unit = await connected();
    const bytes = Buffer.alloc(20_000_000, 7);
    await writeFile(at('large'), bytes);
    const append = ({ url }: { readonly url: URL }): boolean => url.pathname.endsWith('append_v2');
    served.faults.push(
      { reply: { status: 429, headers: { 'retry-after': '0' }, body: { error_summary: 'too_many_requests/..' } } },
      { about: append, lost: true },
    );
    await send(unit, '/large', at('large'));
    expect(Buffer.compare(served.tree.at(['large'])?.bytes ?? Buffer.alloc(0), bytes)).toBe(0);
    expect(served.asked.filter((line) => line.endsWith('append_v2'))).toHaveLength(2);
    expect(served.sessions.size).toBe(0);
  });

  test('notices content that is not what was sent or said, and an answer that is none', async () => {
    await using unit = await connected();
    const { signal } = new AbortController();
    const backend = await (await unit.work.port('filesync', unit.work.linked)).current({ signal });
    const said = { '.tag': 'file', size: 7, content_hash: 'ab'.repeat(32), name: 'a.txt' };
    const write = async (): Promise<unknown> =>
      await backend.write(
        '/a',
        {
          size: 1,
          body: (async function* () {
            yield new Uint8Array(1);
          })(),
        },
        { signal },
      );
    served.faults.push({ reply: { status: 200, body: said } });
    await expect(write()).rejects.toMatchObject({ facts: { code: 'SVC88114' } });
    await write();
    served.faults.push({
      reply: { status: 200, headers: { 'dropbox-api-result': JSON.stringify(said) }, body: 'other' },
    });
    const { body } = await backend.read('/a', { signal });
    const all = async (): Promise<void> => {
      for await (const piece of body) expect(piece.length).toBeGreaterThan(0);
    };
    await expect(all()).rejects.toMatchObject({ facts: { code: 'SVC88114' } });
    served.faults.push({ reply: { status: 200, body: '<html>' } });
    await expect(unit.call('FA_filesync_list_folder', {})).rejects.toMatchObject({ facts: { code: 'SVC88123' } });
  });

  test('shows the token nowhere', async () => {
    await using unit = await connected('very-secret-token');
    await expect(send(unit, '/a.txt')).rejects.toMatchObject({ facts: { code: 'SVC88102' } });
    expect(JSON.stringify([unit.records, unit.events])).not.toContain('very-secret-token');
  });

  test('stops within a second, and leaves nothing under the name', async () => {
    await using unit = await connected();
    await writeFile(at('large'), Buffer.alloc(20_000_000));
    const append = ({ url }: { readonly url: URL }): boolean => url.pathname.endsWith('append_v2');
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    served.faults.push({ about: (ask) => append(ask) && (reach(), true), held });
    const ended = unit.step('FA_filesync_upload_file', { local_path: at('large'), remote_path: '/large' });
    await reached;
    const taken = ownTime();
    unit.stop('enough');
    expect((await ended).status).not.toBe('passed');
    expect(taken()).toBeLessThan(1000);
    release();
    expect(served.tree.at(['large'])).toBeUndefined();
  });

  test('takes addresses', async () => {
    await using unit = await connected();
    await unit.call('FA_copy_between', { source: at('a.txt'), target: 'dropbox:/in/ü#.txt' });
    expect(served.tree.at(['in', 'ü#.txt'])?.bytes).toHaveLength(7);
    const storage_options = { oauth2_access_token: 'good-token', endpoint_url: served.url };
    expect(await unit.call('FA_fs_exists', { url: 'filesync://in/ü#.txt', storage_options })).toBe(true);
  });

  test('tells what was sent by its address, also where other files were refused', async () => {
    await using unit = await connected();
    await mkdir(at('tree'));
    for (const name of ['a.txt', 'blank at its end ']) await writeFile(join(at('tree'), name), 'x');
    const sending = unit.call('FA_fs_upload_dir', { dir_path: at('tree'), url: 'dropbox:/part' });
    await expect(sending).rejects.toMatchObject({ options: { result: ['dropbox:/part/a.txt'] } });
  });
});
