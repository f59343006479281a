import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '#schemas/types/json.ts';

import { serve, type Served } from './open.ts';

let outside = '';
let http: Served;
let tcp: Served;
beforeAll(async () => {
  outside = await realpath(await mkdtemp(join(tmpdir(), 'svc-outside-')));
  await writeFile(join(outside, 'secret.txt'), 'not for callers');
  [http, tcp] = [await serve('http'), await serve('tcp')];
  for (const { root } of [http, tcp]) {
    await writeFile(join(root, 'in.txt'), 'inside');
    await mkdir(join(root, 'folder'));
    await symlink(outside, join(root, 'way-out'));
    await symlink(join(outside, 'secret.txt'), join(root, 'linked.txt'));
  }
});
afterAll(async () => {
  for (const served of [http, tcp]) await served[Symbol.asyncDispose]();
  await rm(outside, { recursive: true, force: true });
});

async function post({ url }: Served, actions: Json): Promise<string> {
  const answer = await fetch(`${url}/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(actions),
  });
  return await answer.text();
}

async function exchange({ server }: Served, actions: Json): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  socket.end(JSON.stringify(actions));
  return await text(socket);
}

/** Actions that reach what stands outside, each by another way. */
function waysOut(): readonly (readonly [string, Json])[] {
  const secret = join(outside, 'secret.txt');
  const written = join(outside, 'written.txt');
  return [
    ...[secret, `folder/../../${outside.split('/').at(-1) ?? ''}/secret.txt`, 'linked.txt', 'way-out/secret.txt'].map(
      (source): readonly [string, Json] => ['FA_copy_file', { source, target: 'taken.txt' }],
    ),
    ['FA_grep', { root: outside, pattern: 'callers' }],
    ['FA_create_file', { file_path: written, content: 'x' }],
    ['FA_create_file', { file_path: 'way-out/written.txt', content: 'x' }],
    ['FA_create_dir', { dir_path: join(outside, 'made') }],
    ['FA_copy_file', { source: 'in.txt', target: written }],
    ['FA_remove_file', { file_path: secret }],
    ['FA_remove_dir_tree', { dir_path: outside }],
    ['FA_list_dir', { dir_path: '..' }],
    ['FA_zip_dir', { dir_we_want_to_zip: outside, zip_name: 'all' }],
    ['FA_copy_between', { source: `local:${secret}`, target: 'local:taken.txt' }],
    ['FA_copy_between', { source: 'local:in.txt', target: `local:${written}` }],
    ['FA_copy_between', { source: `file://${secret}`, target: 'local:taken.txt' }],
    ['FA_execute_files', { execute_files_list: [secret] }],
    ['FA_if_exists', { path: secret, then: [['FA_create_file', { file_path: 'seen.txt' }]] }],
    ['FA_execute_action', { action_list: [['FA_create_file', { file_path: written }]] }],
  ];
}

describe('callers of an action server', () => {
  it('reach nothing outside of the project, whatever command they call', async () => {
    for (const action of waysOut())
      for (const answer of [await post(http, [action]), await exchange(tcp, [action])]) {
        expect(answer, JSON.stringify(action)).not.toContain('not for callers');
        expect(answer, JSON.stringify(action)).toContain('outside of the project root');
      }
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('not for callers');
    await expect(readFile(join(outside, 'written.txt'))).rejects.toThrow('ENOENT');
    await expect(readFile(join(outside, 'made'))).rejects.toThrow('ENOENT');
    for (const { root } of [http, tcp])
      for (const name of ['taken.txt', 'seen.txt', 'all.zip'])
        await expect(readFile(join(root, name)), name).rejects.toThrow('ENOENT');
  });
  it('reach it where the server was told so', async () => {
    await using open = await serve('http', { outside: 'anywhere' });
    const target = join(outside, 'told.txt');
    expect(await post(open, [['FA_create_file', { file_path: target, content: 'x' }]])).toContain('"status":"ok"');
    expect(await readFile(target, 'utf8')).toBe('x');
  });

  it('reach folders that the project may reach, and no others', async () => {
    await using shared = await serve('http', { outside: [join(outside, 'shared')] });
    const write = (file_path: string): Promise<string> =>
      post(shared, [['FA_create_file', { file_path, content: 'x' }]]);
    expect(await write(join(outside, 'shared', 'a.txt'))).toContain('"status":"ok"');
    expect(await write(join(outside, 'sharedness.txt'))).toContain('outside of the project root');
  });
  it('read neither the environment nor secret files, unless they may', async () => {
    const ways: readonly Json[] = [
      ['FA_create_file', { file_path: 'taken.txt', content: '${env:TEST_WORD}' }],
      ['FA_create_file', { file_path: 'taken.txt', content: '${ENV.TEST_WORD}' }],
      ['FA_create_file', { file_path: 'taken.txt', content: '${file:word}' }],
      ['FA_substitute', { payload: 'x ${env:TEST_WORD}' }],
      ['WR_get_env', { key: 'TEST_WORD' }],
    ];
    const env = {
      TEST_WORD: 'not-for-callers',
      AWS_ACCESS_KEY_ID: 'AKOWNER',
      AWS_SECRET_ACCESS_KEY: 'not-for-callers',
    };
    await using shut = await serve('http', { env });
    for (const action of ways) {
      expect(await post(shut, [action]), JSON.stringify(action)).not.toContain('not-for-callers');
      await expect(readFile(join(shut.root, 'taken.txt')), JSON.stringify(action)).rejects.toThrow('ENOENT');
    }
    const known = ['FA_secret_check', { references: ['${env:TEST_WORD}'] }];
    expect(await post(shut, [known])).toContain('"missing":["${env:TEST_WORD}"]');
    const store = { endpoint_url: 'https://store.invalid' };
    expect(await post(shut, [['FA_objstore_connect', store]])).toContain('callers of a server have none but their own');
    const own = { ...store, access_key_id: 'id', secret_access_key: 'a-key-of-the-caller' };
    expect(await post(shut, [['FA_objstore_connect', own]])).toContain('"status":"ok"');
    await using open = await serve('http', { env, environment: true });
    expect(await post(open, [known])).toContain('"resolved":["${env:TEST_WORD}"]');
    await post(open, [ways[0] ?? null]);
    expect(await readFile(join(open.root, 'taken.txt'), 'utf8')).toBe('not-for-callers');
  });
});
