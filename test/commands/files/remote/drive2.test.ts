import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { QuickXorHash } from '#stdlib/files/backends/drive2/quick-xor-hash.ts';

import { ownTime } from '../../../fixtures/own-time.ts';
import type { Ask } from '../../../fixtures/drives/frame.ts';
import { startGraph, type Graph } from '../../../fixtures/drives/graph.ts';
import { quickXor } from '../../../fixtures/drives/quick-xor.ts';
import { session, type Session } from '../../session.ts';

const open = { settings: { gates: { private: true } } };
let served: Graph;
let folder = '';
beforeEach(async () => {
  served = await startGraph();
  folder = await mkdtemp(join(tmpdir(), 'svc-drive2-'));
  await writeFile(join(folder, 'a.txt'), 'content');
});
afterEach(async () => {
  await served[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
const at = (name: string): string => join(folder, name);
const codeOf = (code: string) => ({ facts: { code } });
const put = ({ method, url }: Ask): boolean => method === 'PUT' && url.pathname.startsWith('/session/');

async function connected(): Promise<Session> {
  const unit = await session(open);
  await unit.call('FA_drive2_later_init', { access_token: 'good-token', endpoint_url: served.url });
  return unit;
}
const send = async (unit: Session, remote_path: string, file_path = at('a.txt')): Promise<unknown> =>
  await unit.call('FA_drive2_upload_file', { file_path, remote_path });

describe('the digest of the service', () => {
  // Samples that tools for the service publish.
  test.each([
    ['', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='],
    ['Sg==', 'SgAAAAAAAAAAAAAAAQAAAAAAAAA='],
    ['tbQ=', 'taAFAAAAAAAAAAAAAgAAAAAAAAA='],
    ['0pZP', '0rDEEwAAAAAAAAAAAwAAAAAAAAA='],
  ])('of %s is %s', (bytes, digest) => {
    const hash = new QuickXorHash();
    hash.update(Buffer.from(bytes, 'base64'));
    expect(hash.base64()).toBe(digest);
  });

  test('is that of its description, however the bytes come', () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index * 7 + index) & 255));
    for (const size of [1, 19, 20, 159, 160, 161, 321, 5000]) {
      const hash = new QuickXorHash();
      for (let from = 0; from < size; from += 97) hash.update(bytes.subarray(from, Math.min(size, from + 97)));
      expect(hash.base64()).toBe(quickXor(bytes.subarray(0, size)));
    }
  });
});

describe('the sign-in by device code', () => {
  const login = { client_id: 'client' };
  const signIn = async (unit: Session, more: object = {}): Promise<unknown> =>
    await unit.call('FA_drive2_device_code_login', {
      ...login,
      endpoint_url: served.url,
      authority_url: served.url,
      ...more,
    });

  test('tells the code, waits, and renews the token once, however many wait for it', async () => {
    await using unit = await session(open);
    served.pending.push('authorization_pending', 'authorization_pending');
    expect(await signIn(unit)).toEqual({ expires_in: 3599, scope: 'Files.ReadWrite Files.ReadWrite.All' });
    const notices = unit.events.flatMap((event) => (event.kind === 'notice' ? [event.text] : []));
    expect(notices).toEqual(['Sign in to the drive: open https://example.org/device and enter the code ABCD']);
    for (let round = 2; round <= 3; round += 1) {
      served.tokens.clear();
      await Promise.all(Array.from({ length: 5 }, (_, index) => send(unit, `f${index}`)));
      expect(served.given.count).toBe(round);
    }
    const told = JSON.stringify([unit.records, unit.events]);
    for (const secret of ['token-1', 'refresh-1', 'token-2', 'device-1']) expect(told).not.toContain(secret);
    await unit.call('FA_drive2_close');
    await expect(send(unit, 'x')).rejects.toMatchObject(codeOf('SVC88100'));
  });

  test.each(['authorization_declined', 'expired_token', 'bad_verification_code'])(
    'fails where it is %s',
    async (error) => {
      await using unit = await session(open);
      served.pending.push(error);
      await expect(signIn(unit)).rejects.toMatchObject(codeOf('SVC88102'));
    },
  );

  test('ends when the time is over', async () => {
    await using unit = await session(open);
    served.pending.push(...Array.from({ length: 1000 }, () => 'authorization_pending'));
    await expect(signIn(unit, { timeout: 1 })).rejects.toThrow('within 1 s');
  });
});

describe('a name that the service has not', () => {
  test.each(['end ', 'folder /a.txt', ' begin', 'dot.', 'what?'])(
    'is refused before anything is sent: "%s"',
    async (name) => {
      await using unit = await connected();
      served.asked.length = 0;
      for (const [command, params] of [
        ['FA_drive2_download_file', { remote_path: name, target_path: at('back') }],
        ['FA_drive2_list_folder', { remote_path: name }],
        ['FA_drive2_delete_item', { remote_path: name }],
        ['FA_drive2_upload_file', { remote_path: name, file_path: at('a.txt') }],
      ] as const)
        await expect(unit.call(command, params), command).rejects.toMatchObject({
          ...codeOf('SVC88111'),
          message: expect.stringContaining(`"${name}" cannot be a path there: `) as string,
        });
      expect(served.asked).toEqual([]);
    },
  );
});

describe('FA_drive2', () => {
  test('goes on where an upload broke off, and sends the token to nobody else', async () => {
    await using unit = await connected();
    await writeFile(at('large'), Buffer.alloc(20_000_000, 3));
    served.faults.push(
      { about: put, lost: true },
      { about: put, reply: { status: 503, headers: { 'retry-after': '0' } } },
    );
    await send(unit, 'x/ä/large', at('large'));
    expect(served.tree.at(['x', 'ä', 'large'])?.bytes).toHaveLength(20_000_000);
    expect([...served.uploads]).toEqual([]);
    await unit.call('FA_drive2_download_file', { remote_path: '/x/ä/large', target_path: at('back') });
    served.elsewhere = 'http://localhost:1';
    await expect(unit.call('FA_drive2_list_folder', { remote_path: 'x' })).rejects.toMatchObject(codeOf('SVC88123'));
  });

  test('stops within a second, and leaves no upload behind', async () => {
    await using unit = await connected();
    await writeFile(at('large'), Buffer.alloc(20_000_000));
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    served.faults.push({ about: (ask) => put(ask) && (reach(), true), held });
    const ended = unit.step('FA_drive2_upload_file', { file_path: at('large'), remote_path: 'large' });
    await reached;
    const taken = ownTime();
    unit.stop('enough');
    expect((await ended).status).not.toBe('passed');
    expect(taken()).toBeLessThan(1000);
    release();
    expect([served.uploads.size, served.tree.at(['large'])]).toEqual([0, undefined]);
  });

  test.each([
    [401, 'InvalidAuthenticationToken', 'SVC88102'],
    [403, 'accessDenied', 'SVC88103'],
    [507, 'quotaLimitReached', 'SVC88112'],
    [404, 'itemNotFound', 'SVC88101'],
  ])('%i %s is %s', async (status, code, ours) => {
    await using unit = await connected();
    served.faults.push({ reply: { status, body: { error: { code, message: 'no' } } } });
    await expect(unit.call('FA_drive2_delete_item', { remote_path: 'x' })).rejects.toMatchObject(codeOf(ours));
  });

  test.each(['', '/', '//'])('never deletes the top: %j', async (remote_path) => {
    await using unit = await connected();
    await expect(unit.call('FA_drive2_delete_item', { remote_path })).rejects.toThrow();
    expect(served.asked).toEqual([]);
  });

  test('takes the top for there without asking', async () => {
    await using unit = await connected();
    const { signal } = new AbortController();
    const backend = await (await unit.work.port('drive2', unit.work.linked)).current({ signal });
    for (const path of ['', '/']) await backend.makeFolder(path, { signal });
    expect(served.asked).toEqual([]);
  });

  test('is reached by address', async () => {
    await using unit = await connected();
    await unit.call('FA_copy_between', { source: at('a.txt'), target: 'drive2:in/100%#.txt' });
    expect(served.tree.at(['in', '100%#.txt'])?.bytes).toHaveLength(7);
  });
});
