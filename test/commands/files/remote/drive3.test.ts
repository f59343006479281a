import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { content } from '../../../conformance/storage/service.ts';
import { ownTime } from '../../../fixtures/own-time.ts';
import { startBox, type Box } from '../../../fixtures/drives/box.ts';
import type { Ask } from '../../../fixtures/drives/frame.ts';
import { session, type Session } from '../../session.ts';

const open = { settings: { gates: { private: true } } };
let served: Box;
let folder = '';
beforeEach(async () => {
  served = await startBox();
  folder = await mkdtemp(join(tmpdir(), 'svc-drive3-'));
  await writeFile(join(folder, 'a.txt'), 'content');
});
afterEach(async () => {
  await served[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
const at = (name: string): string => join(folder, name);
const codeOf = (code: string) => ({ facts: { code } });
const put = ({ method, url }: Ask): boolean => method === 'PUT' && url.pathname.includes('upload_sessions');

async function connected(params: object = {}): Promise<Session> {
  const unit = await session(open);
  await unit.call('FA_drive3_later_init', { access_token: 'good-token', endpoint_url: served.url, ...params });
  return unit;
}

describe('FA_drive3', () => {
  test('renews a token once, however many wait, and writes the next one before it is used', async () => {
    await writeFile(at('token.json'), JSON.stringify({ refresh_token: 'refresh-0', own: 1 }), { mode: 0o644 });
    const login = { client_id: 'client', client_secret: 'client-secret', token_path: at('token.json') };
    await using unit = await connected(login);
    for (let round = 1; round <= 2; round += 1) {
      served.tokens.clear();
      await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          unit.call('FA_drive3_upload_file', { file_path: at('a.txt'), name: `${round}-${index}` }),
        ),
      );
      expect(served.given.count).toBe(round);
      const kept = JSON.parse(await readFile(at('token.json'), 'utf8')) as object;
      expect(kept).toEqual({ refresh_token: `refresh-${round}`, access_token: `token-${round}`, own: 1 });
    }
    expect((await stat(at('token.json'))).mode & 0o777).toBe(0o600);
    const told = JSON.stringify([unit.records, unit.events]);
    for (const secret of ['token-1', 'refresh-0', 'refresh-1', 'client-secret']) expect(told).not.toContain(secret);
  });

  test('without such a file a token that ends is a login that is refused', async () => {
    await using unit = await connected();
    served.tokens.clear();
    await expect(unit.call('FA_drive3_list_folder')).rejects.toMatchObject(codeOf('SVC88102'));
  });

  test('keeps the tree of a folder, uses folders that are there, and refuses names in use', async () => {
    await mkdir(at('up/sub/deep'), { recursive: true });
    await writeFile(at('up/sub/deep/c.txt'), 'c');
    await writeFile(at('up/b.txt'), 'b');
    const sub = served.tree.add('0', 'sub');
    await using unit = await connected();
    expect(await unit.call('FA_drive3_upload_dir', { dir_path: at('up') })).toEqual(['b.txt', 'sub/deep/c.txt']);
    expect(served.tree.at(['sub', 'deep', 'c.txt'])?.bytes).toHaveLength(1);
    expect(served.tree.at(['sub'])).toBe(sub);
    await expect(unit.call('FA_drive3_upload_dir', { dir_path: at('up') })).rejects.toMatchObject(codeOf('SVC88121'));
    const taken = unit.call('FA_drive3_upload_file', { file_path: at('a.txt'), name: 'B.TXT' });
    await expect(taken).rejects.toMatchObject(codeOf('SVC88109'));
    const nested = unit.call('FA_drive3_upload_file', { file_path: at('a.txt'), name: 'no/such.txt' });
    await expect(nested).rejects.toMatchObject(codeOf('SVC88101'));
  });

  test('sends of a folder what is not over there yet, with `resume`', async () => {
    await mkdir(at('up/sub'), { recursive: true });
    for (const name of ['a', 'b', 'sub/c']) await writeFile(at(`up/${name}`), name);
    const box = served.tree.add('0', 'box');
    const sub = served.tree.add(box.id, 'sub');
    await using unit = await connected();
    const whole = { dir_path: at('up'), parent_folder_id: box.id, resume: true };
    served.tree.add(box.id, 'a', Buffer.from('a'));
    served.tree.add(sub.id, 'c', Buffer.from('sub/c'));
    expect(await unit.call('FA_drive3_upload_dir', whole)).toEqual(['b']);
    expect(await unit.call('FA_drive3_upload_dir', whole)).toEqual([]);
    await writeFile(at('up/sub/d'), 'd');
    expect(await unit.call('FA_drive3_upload_dir', whole)).toEqual(['sub/d']);
    expect(served.tree.at(['box', 'sub', 'd'])?.bytes).toHaveLength(1);
  });

  test('sends large files in parts that go on, and waits until they are put together', async () => {
    await using unit = await connected();
    await writeFile(at('large'), Buffer.alloc(20_000_001, 9));
    served.slow.commits = 2;
    served.faults.push(
      { about: put, lost: true },
      { about: put, reply: { status: 429, headers: { 'retry-after': '0' } } },
    );
    const id = String(await unit.call('FA_drive3_upload_file', { file_path: at('large') }));
    expect(served.tree.nodes.get(id)?.bytes).toHaveLength(20_000_001);
    expect([...served.uploads]).toEqual([]);
    await unit.call('FA_drive3_download_file', { file_id: id, target_path: at('back') });
    expect((await stat(at('back'))).size).toBe(20_000_001);
  });

  test('stops within a second, and leaves no upload behind', async () => {
    await using unit = await connected();
    await writeFile(at('large'), Buffer.alloc(20_000_001));
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    served.faults.push({ about: (ask) => put(ask) && (reach(), true), held });
    const ended = unit.step('FA_drive3_upload_file', { file_path: at('large') });
    await reached;
    const taken = ownTime();
    unit.stop('enough');
    expect((await ended).status).not.toBe('passed');
    expect(taken()).toBeLessThan(1000);
    release();
    expect([served.uploads.size, served.tree.children('0')]).toEqual([0, []]);
  });

  test('lists exactly as many as were asked for', async () => {
    await using unit = await connected();
    for (let index = 0; index < 900; index += 1) served.tree.add('0', `f${index}`, Buffer.from(''));
    for (const limit of [1, 399, 401, 899, 900, 2000])
      expect(await unit.call('FA_drive3_list_folder', { limit })).toHaveLength(Math.min(limit, 900));
    expect(await unit.call('FA_drive3_list_folder')).toHaveLength(100);
  });

  test.each([
    [403, 'storage_limit_exceeded', 'SVC88112'],
    [403, 'access_denied_insufficient_permissions', 'SVC88103'],
    [400, 'folder_not_empty', 'SVC88126'],
    [404, 'not_found', 'SVC88101'],
  ])('%i %s is %s', async (status, code, ours) => {
    await using unit = await connected();
    served.faults.push({ reply: { status, body: { type: 'error', status, code, message: 'no' } } });
    await expect(unit.call('FA_drive3_delete_folder', { folder_id: 'x' })).rejects.toMatchObject(codeOf(ours));
  });

  test('looks for a folder once, however many files go into it', async () => {
    await using unit = await connected();
    const { signal } = new AbortController();
    const backend = await (await unit.work.port('drive3', unit.work.linked)).current({ signal });
    const { id } = served.tree.add('0', 'box');
    for (const name of ['a', 'b', 'c']) await backend.write(`box/${name}`, content(Buffer.from(name)), { signal });
    const looked = served.asked.filter((line) => line === 'GET /2.0/folders/0/items');
    expect([looked.length, served.tree.children(id).length]).toEqual([1, 3]);
  });

  test('is reached by address', async () => {
    await using unit = await connected();
    await unit.call('FA_copy_between', { source: at('a.txt'), target: 'drive3:in/ü.txt' });
    await unit.call('FA_copy_between', { source: 'drive3:in/ü.txt', target: at('back.txt') });
    expect(await readFile(at('back.txt'), 'utf8')).toBe('content');
  });
});
