import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { content, failureNamed } from '../../../conformance/storage/service.ts';
import { ownTime } from '../../../fixtures/own-time.ts';
import type { Ask } from '../../../fixtures/drives/frame.ts';
import { startGoogleDrive, type GoogleDrive } from '../../../fixtures/drives/google.ts';
import { writeGoogleFiles } from '../../../fixtures/drives/google-files.ts';
import { session, type Session } from '../../session.ts';

const open = { settings: { gates: { private: true } } };
let served: GoogleDrive;
let folder = '';
beforeEach(async () => {
  served = await startGoogleDrive();
  folder = await mkdtemp(join(tmpdir(), 'svc-drive-'));
  await writeFile(join(folder, 'a.txt'), 'content');
});
afterEach(async () => {
  await served[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
const at = (name: string): string => join(folder, name);
const past = '2020-01-01T00:00:00';
const codeOf = (code: string) => ({ facts: { code } });

async function connected(token?: object, params: object = {}): Promise<Session> {
  const { tokenPath, credentialsPath } = await writeGoogleFiles(folder, served.url, token);
  const unit = await session(open);
  const given = { token_path: tokenPath, credentials_path: credentialsPath, endpoint_url: served.url, ...params };
  await unit.call('FA_drive_later_init', given);
  return unit;
}
const put = (ask: Ask): boolean => ask.method === 'PUT' && !ask.headers['content-range']?.includes('*');
const asksToken = (): number => served.asked.filter((line) => line === 'POST /token').length;

test('a folder of several pages is deleted whole by its address', async () => {
  const { id } = served.tree.add('root', 'box', undefined, { mediaType: 'application/vnd.google-apps.folder' });
  for (let count = 0; count < 900; count += 1) served.tree.add(id, `f${count}`, Buffer.from('a'));
  await using unit = await connected();
  await unit.call('FA_fs_delete_path', { url: 'drive:box', recursive: true });
  expect(served.tree.children('root')).toEqual([]);
});

describe('the token', () => {
  test('is renewed where it has expired, and the file is rewritten for its owner alone', async () => {
    await writeFile(at('token.json'), '{}', { mode: 0o644 });
    await using unit = await connected({ token: 'old', refresh_token: 'refresh-1', expiry: past, own: 1 });
    expect(await unit.call('FA_drive_search_all_file')).toEqual([]);
    const stored = JSON.parse(await readFile(at('token.json'), 'utf8')) as Record<string, unknown>;
    expect(stored).toMatchObject({ token: 'token-1', refresh_token: 'refresh-1', own: 1 });
    expect(Date.parse(String(stored['expiry']))).toBeGreaterThan(Date.now());
    expect((await stat(at('token.json'))).mode & 0o777).toBe(0o600);
    const told = JSON.stringify([unit.records, unit.events]);
    for (const secret of ['token-1', 'refresh-1', 'client-secret']) expect(told).not.toContain(secret);
  });

  test('that ends in the middle is renewed once, however many transfers wait', async () => {
    await using unit = await connected();
    await Promise.all(Array.from({ length: 6 }, (_, index) => writeFile(at(`f${index}`), `file ${index}`)));
    await unit.call('FA_drive_add_folder', { folder_name: 'x' });
    served.tokens.clear();
    await Promise.all(
      Array.from({ length: 6 }, (_, index) => unit.call('FA_drive_upload_to_drive', { file_path: at(`f${index}`) })),
    );
    expect(asksToken()).toBe(1);
    expect(
      served.tree
        .children('root')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'x']);
  });

  test('that cannot be renewed is a login that is refused', async () => {
    await using unit = await connected();
    served.tokens.clear();
    served.refreshTokens.clear();
    await expect(unit.call('FA_drive_search_all_file')).rejects.toMatchObject(codeOf('SVC88102'));
    const failing = connected({ token: 'old', expiry: past }, { sign_in_timeout: 0 });
    await expect(failing).rejects.toMatchObject(codeOf('SVC88102'));
  });

  test('comes from a person who signs in, when somebody can answer', async () => {
    await rm(at('token.json'), { force: true });
    const { credentialsPath } = await writeGoogleFiles(folder, served.url, {});
    await rm(at('token.json'));
    await using unit = await session(open);
    const given = { token_path: at('token.json'), credentials_path: credentialsPath, endpoint_url: served.url };
    await expect(unit.call('FA_drive_later_init', given)).rejects.toMatchObject(codeOf('SVC88102'));
    const connecting = unit.call('FA_drive_later_init', { ...given, sign_in_timeout: 30 });
    const notice = await new Promise<string>((resolve) => {
      const look = (): void => {
        const found = unit.events.find((event) => event.kind === 'notice' && event.text.startsWith('Sign in'));
        if (found?.kind === 'notice') resolve(found.text);
        else setImmediate(look);
      };
      look();
    });
    const asked = new URL(notice.slice(notice.indexOf('http'))).searchParams;
    const redirect = asked.get('redirect_uri') ?? '';
    served.codes.set('code-1', asked.get('code_challenge') ?? '');
    expect((await fetch(`${redirect}/?code=stolen&state=other`)).status).toBe(400);
    expect((await fetch(`${redirect}/?code=code-1&state=${asked.get('state')}`)).status).toBe(200);
    expect(await connecting).toBe(true);
    expect(JSON.parse(await readFile(at('token.json'), 'utf8'))).toMatchObject({ refresh_token: 'refresh-1' });
    expect(await unit.call('FA_drive_search_all_file')).toEqual([]);
    await expect(fetch(redirect)).rejects.toThrow();
  });

  test('waits for a person where a terminal tells that one is there', async () => {
    const { credentialsPath } = await writeGoogleFiles(folder, served.url, {});
    await rm(at('token.json'));
    const terminals = [process.stdin, process.stderr].map((stream) => [stream, stream.isTTY] as const);
    for (const [stream] of terminals) stream.isTTY = true;
    const unit = await session(open);
    try {
      const given = { token_path: at('token.json'), credentials_path: credentialsPath, endpoint_url: served.url };
      let hasEnded = false;
      const connecting = unit.call('FA_drive_later_init', given).catch(() => (hasEnded = true));
      const isAsked = (): boolean =>
        unit.events.some((event) => event.kind === 'notice' && event.text.startsWith('Sign in'));
      while (!hasEnded && !isAsked()) await new Promise(setImmediate);
      expect(hasEnded).toBe(false);
      unit.stop('enough');
      await connecting;
    } finally {
      for (const [stream, isTTY] of terminals) stream.isTTY = isTTY;
      await unit.end();
    }
  });

  test.each([
    ['token.json', 'nothing', 'no JSON'],
    ['credentials.json', '{}', 'client_id'],
    ['credentials.json', '{"installed":{"client_id":"a","token_uri":"http://example.org/token"}}', 'plain http'],
  ])('is not looked for with %s that holds %s', async (file, text, words) => {
    const { tokenPath, credentialsPath } = await writeGoogleFiles(folder, served.url, {
      token: 'old',
      refresh_token: 'refresh-1',
      expiry: past,
    });
    await writeFile(at(file), text);
    await using unit = await session(open);
    const given = { token_path: tokenPath, credentials_path: credentialsPath };
    await expect(unit.call('FA_drive_later_init', given)).rejects.toMatchObject({
      ...codeOf('SVC88125'),
      message: expect.stringContaining(words) as string,
    });
  });
});

describe('transfers', () => {
  test('go on where they broke off, and make one file', async () => {
    await using unit = await connected();
    const bytes = Buffer.alloc(20_000_000, 5);
    await writeFile(at('large.bin'), bytes);
    served.faults.push(
      { about: put, lost: true },
      { about: put, reply: { status: 503, headers: { 'retry-after': '0' } } },
    );
    const { id } = (await unit.call('FA_drive_upload_to_drive', { file_path: at('large.bin') })) as { id: string };
    expect(served.tree.children('root').map((node) => node.id)).toEqual([id]);
    expect(
      createHash('md5')
        .update(served.tree.nodes.get(id)?.bytes ?? '')
        .digest('hex'),
    ).toBe(createHash('md5').update(bytes).digest('hex'));
    expect(served.uploads.size).toBe(0);
    served.faults.push({ about: ({ url }) => url.searchParams.get('uploadType') === 'multipart', lost: true });
    await unit.call('FA_drive_upload_to_folder', { folder_id: 'root', file_path: at('a.txt'), file_name: 'once' });
    expect(served.tree.children('root').filter(({ name }) => name === 'once')).toHaveLength(1);
  });

  test('that are cancelled end within a second and leave no upload behind', async () => {
    await using unit = await connected();
    await writeFile(at('large.bin'), Buffer.alloc(20_000_000));
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    served.faults.push({ about: (ask) => put(ask) && (reach(), true), held });
    const ended = unit.step('FA_drive_upload_to_drive', { file_path: at('large.bin') });
    await reached;
    const taken = ownTime();
    unit.stop('enough');
    expect((await ended).status).not.toBe('passed');
    expect(taken()).toBeLessThan(1000);
    release();
    expect([served.uploads.size, served.tree.children('root')]).toEqual([0, []]);
  });

  test('of a folder say what was sent and what was not', async () => {
    await using unit = await connected();
    await writeFile(at('b.txt'), 'b');
    served.tree.quota = 7;
    await rm(at('token.json'));
    await rm(at('credentials.json'));
    const ended = await unit.step('FA_drive_upload_dir_to_drive', { dir_path: folder });
    expect(ended.failure).toMatchObject(codeOf('SVC88121'));
    expect(ended.failure?.options.result).toMatchObject([{ name: 'a.txt' }]);
  });

  test('of a folder leave out what is over there already, with `resume`', async () => {
    await using unit = await connected();
    await mkdir(at('up/below'), { recursive: true });
    for (const name of ['a', 'b', 'c']) await writeFile(at(`up/${name}`), name);
    const box = served.tree.add('root', 'box', undefined, { mediaType: 'application/vnd.google-apps.folder' });
    const namesOf = async (params: object): Promise<string[]> => {
      const sent = await unit.call('FA_drive_upload_dir_to_folder', {
        folder_id: box.id,
        dir_path: at('up'),
        ...params,
      });
      return (sent as { name: string }[]).map(({ name }) => name);
    };
    served.tree.add(box.id, 'a', Buffer.from('a'));
    served.tree.add(box.id, 'b', Buffer.from('B'));
    expect(await namesOf({ resume: true })).toEqual(['b', 'c']);
    expect(await namesOf({ resume: true })).toEqual([]);
    expect(await namesOf({})).toEqual(['a', 'b', 'c']);
    expect(await unit.call('FA_drive_upload_dir_to_drive', { dir_path: at('up'), resume: true })).toHaveLength(3);
    expect(await unit.call('FA_drive_upload_dir_to_drive', { dir_path: at('up'), resume: true })).toEqual([]);
  });

  test('into a folder take no name that leads out of it', async () => {
    await using unit = await connected();
    const box = served.tree.add('root', "it's", undefined, { mediaType: 'application/vnd.google-apps.folder' });
    for (const name of ['good.txt', '../evil.txt', '..', 'twice', 'twice'])
      served.tree.add(box.id, name, Buffer.from('x'));
    served.tree.add(box.id, 'document', undefined, { mediaType: 'application/vnd.google-apps.document' });
    const given = { folder_name: "it's", target_dir: at('in/here') };
    const ended = await unit.step('FA_drive_download_file_from_folder', given);
    expect(ended.failure).toMatchObject({
      ...codeOf('SVC88121'),
      message: expect.stringContaining('3 of 5') as string,
    });
    expect(Object.keys(ended.failure?.options.result as object).sort()).toEqual(['good.txt', 'twice']);
    await expect(stat(at('in/evil.txt'))).rejects.toThrow();
  });

  test('into a folder tell every name, and take none twice, whatever it is', async () => {
    await using unit = await connected();
    const box = served.tree.add('root', 'odd', undefined, { mediaType: 'application/vnd.google-apps.folder' });
    const names = ['__proto__', 'constructor', 'toString'];
    for (const name of [...names, '__proto__']) served.tree.add(box.id, name, Buffer.from('x'));
    const given = { folder_name: 'odd', target_dir: at('odd') };
    const ended = await unit.step('FA_drive_download_file_from_folder', given);
    expect(ended.failure?.message).toContain('1 of 4');
    expect(Object.keys(ended.failure?.options.result as object).sort()).toEqual(names);
  });

  test('into a folder write nothing through a link that leads out of it', async () => {
    await using unit = await connected();
    const box = served.tree.add('root', 'linked', undefined, { mediaType: 'application/vnd.google-apps.folder' });
    for (const name of ['good.txt', 'out.txt']) served.tree.add(box.id, name, Buffer.from('new'));
    await mkdir(at('tied'), { recursive: true });
    await writeFile(at('kept.txt'), 'kept');
    await symlink('../kept.txt', at('tied/out.txt'));
    const given = { folder_name: 'linked', target_dir: at('tied') };
    const ended = await unit.step('FA_drive_download_file_from_folder', given);
    expect(ended.failure?.message).toContain('1 of 2');
    expect(Object.keys(ended.failure?.options.result as object)).toEqual(['good.txt']);
    expect(await readFile(at('kept.txt'), 'utf8')).toBe('kept');
  });

  test('of a tree leave the folder by no name of the other side', async () => {
    await using unit = await connected();
    const folder = { mediaType: 'application/vnd.google-apps.folder' };
    const box = served.tree.add('root', 'climbing', undefined, folder);
    const up = served.tree.add(box.id, '..', undefined, folder);
    served.tree.add(up.id, 'evil.txt', Buffer.from('x'));
    served.tree.add(box.id, 'good.txt', Buffer.from('x'));
    const given = { src: 'drive:climbing', dst: at('below/here') };
    const ended = await unit.step('FA_sync_dir', given);
    expect((ended.failure?.options.result ?? ended.result) as object).toMatchObject({
      copied: ['good.txt'],
      errors: [
        ['..', expect.stringContaining('".."')],
        ['../evil.txt', expect.stringContaining('".."')],
      ],
    });
    await expect(stat(at('below/evil.txt'))).rejects.toThrow();
  });
});

describe('files over there', () => {
  test('of equal names are pairs of their own, over all pages', async () => {
    await using unit = await connected();
    for (let index = 0; index < 900; index += 1) served.tree.add('root', 'same', Buffer.from(''), { mediaType: 'a/b' });
    expect(await unit.call('FA_drive_search_all_file')).toHaveLength(900);
    expect(await unit.call('FA_drive_search_file_mimetype', { mime_type: 'a/b' })).toHaveLength(900);
    expect(await unit.call('FA_drive_search_file_mimetype', { mime_type: "a/b' or 'x" })).toEqual([]);
    expect(await unit.call('FA_drive_search_field', { field_pattern: 'files(id,size)' })).toHaveLength(900);
  });

  test('are shared as was said, with a warning where everybody may write', async () => {
    await using unit = await connected();
    const { id } = served.tree.add('root', 'f', Buffer.from(''));
    await unit.call('FA_drive_share_file_to_user', { file_id: id, user: 'ann@example.org', user_role: 'owner' });
    await unit.call('FA_drive_share_file_to_domain', { file_id: id, domain: 'example.org' });
    await unit.call('FA_drive_share_file_to_anyone', { file_id: id, share_role: 'writer' });
    expect(served.permissions.map(({ right }) => right)).toEqual([
      { type: 'user', role: 'owner', emailAddress: 'ann@example.org' },
      { type: 'domain', role: 'reader', domain: 'example.org' },
      { type: 'anyone', role: 'writer' },
    ]);
    expect(unit.events.filter((event) => event.kind === 'notice' && event.level === 'warning')).toHaveLength(1);
  });

  test.each([
    [403, 'userRateLimitExceeded', 'SVC88104'],
    [403, 'storageQuotaExceeded', 'SVC88112'],
    [403, 'insufficientFilePermissions', 'SVC88103'],
    [404, 'notFound', 'SVC88101'],
  ])('%i %s is %s', async (status, reason, code) => {
    await using unit = await connected();
    served.faults.push({ reply: { status, body: { error: { message: 'no', errors: [{ reason }] } } } });
    await expect(unit.call('FA_drive_delete_file', { file_id: 'x' })).rejects.toMatchObject(codeOf(code));
  });

  test('have a size; a folder has none, whatever is said of it', async () => {
    await using unit = await connected();
    const mimeType = 'application/vnd.google-apps.folder';
    const files = [
      { id: '1', name: 'box', mimeType, size: '7' },
      { id: '2', name: 'file', mimeType: 'text/plain', size: '7' },
    ];
    served.faults.push({
      about: ({ url }) => url.pathname === '/drive/v3/files',
      reply: { status: 200, body: { files } },
    });
    expect(await unit.call('FA_fs_list_dir', { url: 'drive:/' })).toEqual([
      { name: 'box', is_dir: true, size: null },
      { name: 'file', is_dir: false, size: 7 },
    ]);
  });

  test('take the place of no folder', async () => {
    const box = served.tree.add('root', 'box', undefined, { mediaType: 'application/vnd.google-apps.folder' });
    await using unit = await connected();
    const { signal } = new AbortController();
    const backend = await (await unit.work.port('drive', unit.work.linked)).current({ signal });
    for (const exclusive of [false, true]) {
      const written = backend.write('box', content(Buffer.from('x'), { exclusive }), { signal });
      expect(await failureNamed(written)).toBe('storage-is-folder');
    }
    expect(box.bytes).toBeUndefined();
  });

  test('are reached by address', async () => {
    await using unit = await connected();
    await unit.call('FA_copy_between', { source: at('a.txt'), target: 'drive:/in/ü.txt' });
    await unit.call('FA_copy_between', { source: 'drive:/in/ü.txt', target: at('back.txt') });
    expect(await readFile(at('back.txt'), 'utf8')).toBe('content');
  });
});
