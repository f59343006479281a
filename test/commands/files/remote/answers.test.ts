import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Ports } from '#runtime/kernel/ports.ts';
import type { Failure } from '#schemas/types/failure.ts';
import { openSocket } from '#stdlib/files/backends/open-socket.ts';
import { readingOf } from '#stdlib/files/backends/reading.ts';
import { messageFailure } from '#stdlib/files/backends/ftp/failures.ts';
import type { ServiceStream } from '#stdlib/files/backends/http-service.ts';
import { statusFailure, statusIn } from '#stdlib/files/backends/smb/failures.ts';
import { webBackend } from '#stdlib/files/backends/storage/web.ts';

import { startHttp, startRaw } from '../../api/servers.ts';
import { failureOf } from '../../call.ts';
import { session } from '../../session.ts';

/** Answer of a service where a reading begins: a status, and no bytes. */
function streamOf(
  status: number,
  length?: number,
): { readonly stream: ServiceStream; readonly isClosed: () => boolean } {
  let closed = false;
  const stream = {
    status,
    headers: length === undefined ? {} : { 'content-length': String(length) },
    body: async function* () {},
    close: () => void (closed = true),
  } as unknown as ServiceStream;
  return { stream, isClosed: () => closed };
}

describe('a reading from a drive', () => {
  it('has the size of the whole file, also where it begins later', () => {
    expect(readingOf(streamOf(200, 7).stream, 0, 'x').size).toBe(7);
    expect(readingOf(streamOf(206, 7).stream, 3, 'x').size).toBe(10);
    expect(readingOf(streamOf(200).stream, 0, 'x')).not.toHaveProperty('size');
  });

  it('ends where all came in the place of a part, and its connection with it', () => {
    const { stream, isClosed } = streamOf(200, 7);
    expect(() => readingOf(stream, 3, 'x')).toThrow('it sent all where a part was asked for');
    expect(isClosed()).toBe(true);
    const part = streamOf(206, 7);
    readingOf(part.stream, 3, 'x').close();
    expect(part.isClosed()).toBe(true);
  });
});

describe('answers of FTP servers', () => {
  const about = { place: 'ftp://x', path: 'a', timeoutMs: 3000 };
  const nameOf = (code: number | undefined, message = 'no'): string =>
    (messageFailure(Object.assign(new Error(message), code === undefined ? {} : { code }), about) as Failure).facts
      .name;

  it.each([
    [331, 'storage-login'],
    [332, 'storage-login'],
    [421, 'storage-unavailable'],
    [425, 'storage-broken-off'],
    [426, 'storage-broken-off'],
    [450, 'storage-unavailable'],
    [451, 'storage-unavailable'],
    [452, 'storage-full'],
    [500, 'storage-cannot'],
    [501, 'storage-cannot'],
    [502, 'storage-cannot'],
    [504, 'storage-cannot'],
    [522, 'storage-cannot'],
    [530, 'storage-login'],
    [532, 'storage-login'],
    [534, 'storage-cannot'],
    [535, 'storage-rejected'],
    [552, 'storage-full'],
    [553, 'storage-rejected'],
  ])('%i is %s', (code, name) => {
    expect(nameOf(code)).toBe(name);
  });

  it('end where the sentence ends that they stand in', () => {
    const told = messageFailure(Object.assign(new Error('530 Login incorrect.\n'), { code: 530 }), about);
    expect(told.message).toBe('ftp://x refuses the login: 530 Login incorrect.');
  });

  it('of the library, which have no number', () => {
    expect(nameOf(undefined, 'Timeout (control socket)')).toBe('storage-timeout');
    expect(nameOf(undefined, "Can't parse response to 'PASV'")).toBe('storage-answer');
    expect(nameOf(undefined, 'PASV returned another host')).toBe('storage-answer');
    expect(nameOf(undefined, 'closed')).toBe('storage-broken-off');
    expect(nameOf(550, 'Permission denied')).toBe('storage-denied');
  });
});

it.each([
  ['storage-not-found', 'OBJECT_NAME_NOT_FOUND OBJECT_PATH_NOT_FOUND NO_SUCH_FILE NOT_FOUND BAD_NETWORK_NAME'],
  ['storage-login', 'LOGON_FAILURE WRONG_PASSWORD NO_SUCH_USER PASSWORD_EXPIRED PASSWORD_MUST_CHANGE ACCOUNT_DISABLED'],
  [
    'storage-login',
    'LOGON_TYPE_NOT_GRANTED ACCOUNT_LOCKED_OUT ACCOUNT_EXPIRED ACCOUNT_RESTRICTION NETWORK_SESSION_EXPIRED',
  ],
  [
    'storage-unavailable',
    'SHARING_VIOLATION FILE_LOCK_CONFLICT DELETE_PENDING INSUFFICIENT_RESOURCES TOO_MANY_SESSIONS',
  ],
  ['storage-unavailable', 'INSUFF_SERVER_RESOURCES NO_MEMORY REQUEST_NOT_ACCEPTED'],
  ['storage-out-of-reach', 'CONNECTION_REFUSED HOST_UNREACHABLE NETWORK_UNREACHABLE PORT_UNREACHABLE BAD_NETWORK_PATH'],
  ['storage-broken-off', 'CONNECTION_RESET CONNECTION_DISCONNECTED CONNECTION_ABORTED CONNECTION_INVALID END_OF_FILE'],
  ['storage-broken-off', 'LOCAL_DISCONNECT REMOTE_DISCONNECT INVALID_NETWORK_RESPONSE PIPE_BROKEN PIPE_DISCONNECTED'],
  ['storage-broken-off', 'NETWORK_NAME_DELETED USER_SESSION_DELETED UNEXPECTED_NETWORK_ERROR'],
  ['storage-timeout', 'IO_TIMEOUT'],
  ['storage-denied', 'ACCESS_DENIED CANNOT_DELETE MEDIA_WRITE_PROTECTED'],
  ['storage-full', 'DISK_FULL QUOTA_EXCEEDED'],
  ['storage-is-folder', 'FILE_IS_A_DIRECTORY'],
  ['storage-not-folder', 'NOT_A_DIRECTORY'],
  ['storage-folder-not-empty', 'DIRECTORY_NOT_EMPTY'],
  ['storage-exists', 'OBJECT_NAME_COLLISION'],
  ['storage-path', 'OBJECT_NAME_INVALID OBJECT_PATH_SYNTAX_BAD'],
  ['storage-cannot', 'NOT_SUPPORTED INVALID_PARAMETER'],
  ['storage-rejected', 'WHATEVER'],
])('%s, by the statuses of SMB servers: %s', (name, statuses) => {
  const about = { place: 'smb://x', path: 'a', timeoutMs: 3000 };
  for (const status of statuses.split(' ')) {
    const told = statusIn(
      `  NT_STATUS_OK in a listing\n${status === 'WHATEVER' ? '' : 'opening '}NT_STATUS_${status} a\n`,
    );
    expect([status, told?.status]).toEqual([status, status]);
    expect([status, told && statusFailure(told, about).facts.name]).toEqual([status, name]);
  }
});

describe('a connection to a name with several addresses', () => {
  const signal = new AbortController().signal;
  const outbound = (addresses: readonly string[]) => ({ checkHost: async () => addresses }) as never;

  it('uses one of those that were checked, whatever the name says', async () => {
    await using server = await startRaw((socket) => void socket.end('hello'));
    const wanted = { host: 'nowhere.invalid', port: server.port, timeoutMs: 5000, signal, place: 'x://y' };
    for (const addresses of [['127.0.0.1'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.2', '127.0.0.1']]) {
      const socket = await openSocket(outbound(addresses), wanted);
      expect(socket.remoteAddress).toBe('127.0.0.1');
      expect((await socket.toArray()).join('')).toBe('hello');
    }
  });
});

describe('a file of the web', () => {
  const backend = webBackend({} as Ports['http'], 'https://files.example/a.txt');

  it('can be read and nothing else', () => {
    expect(backend.can).toEqual({
      folders: false,
      rename: false,
      ranges: false,
      append: false,
      times: false,
      exclusive: false,
      tellsAbsent: true,
    });
    expect([backend.scheme, backend.place]).toEqual(['https', 'https://files.example']);
  });

  it.each(['https://user@files.example/a', 'https://user:x@files.example/a', 'no address'])('not at %s', (address) => {
    expect(() => webBackend({} as Ports['http'], address)).toThrow('it is no plain http or https address');
  });
});

it.each([
  [204, true],
  [404, true],
  [500, false],
  [501, true],
  [502, false],
])('an action server that answers %i is there: %s', async (status, isThere) => {
  await using server = await startHttp((_, response) => void response.writeHead(status).end());
  await using unit = await session();
  expect(await unit.call('FA_client_ping', { base_url: server.url })).toBe(isThere);
});

it.each(['gëheim', 'geheim €', '🎉 密'])('an action server is given any secret in UTF-8: %s', async (secret) => {
  await using unit = await session();
  const { port } = (await unit.call('FA_http_server_start', { port: 0, shared_secret: secret })) as { port: number };
  const asked = { base_url: `http://127.0.0.1:${port}`, actions: [['FA_mime_detect_bytes', ['aGVsbG8=']]] };
  const answer = (await unit.call('FA_client_execute', { ...asked, shared_secret: secret })) as object;
  expect(Object.values(answer)).toMatchObject([{ status: 'ok' }]);
  const { message } = await failureOf(unit.call('FA_client_execute', { ...asked, shared_secret: `${secret}x` }));
  expect(message).toContain('status 401, bad shared secret (unauthorized)');
});

it('an action server that refuses without a word is told by its status', async () => {
  await using server = await startHttp((_, response) => void response.writeHead(503).end());
  await using unit = await session();
  const { message } = await failureOf(unit.call('FA_client_execute', { base_url: server.url, actions: [['X']] }));
  expect(message).toBe(`${server.url}/actions: status 503 (http).`);
});

describe('an action server whose answer has no end', () => {
  /** Begins an answer to each request, and goes on with it for as long as somebody reads. */
  const endless = (beginning: string, piece: string) =>
    startRaw((socket) => {
      const more = (): void => {
        while (socket.writable && socket.write(piece.repeat(1000)));
      };
      socket.on('error', () => undefined).on('drain', more);
      socket.once('data', () => {
        socket.write(beginning);
        more();
      });
    });
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

  it('is there by its head, and no more of it is read', async () => {
    await using server = await endless(`${head}transfer-encoding: chunked\r\n\r\n`, '1\r\n1\r\n');
    await using unit = await session();
    const began = performance.now();
    expect(await unit.call('FA_client_ping', { base_url: server.url })).toBe(true);
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it('is not there where its head has none', async () => {
    await using server = await endless(head, 'x-more: 1\r\n');
    await using unit = await session();
    expect(await unit.call('FA_client_ping', { base_url: server.url })).toBe(false);
  });

  it('gives no result, and the failure says what was too large', async () => {
    await using server = await endless(`${head}transfer-encoding: chunked\r\n\r\n`, '1\r\n1\r\n');
    await using unit = await session({ settings: { limits: { http_body_bytes: 100_000 } } });
    const { facts, options } = await failureOf(
      unit.call('FA_client_execute', { base_url: server.url, actions: [['FA_create_dir', ['a']]] }),
    );
    expect(facts.name).toBe('HTTPActionClientException');
    expect(facts.message).toBe(
      `${server.url}/actions: POST ${server.url}/actions: the body of the answer is larger than 100000 bytes (invalid_response).`,
    );
    expect(options.cause).toMatchObject({ facts: { code: 'SVC83017' } });
  });
});

describe('synchronizing inside one storage', () => {
  it.each([
    ['memory:trees/a', 'memory:trees/a/b'],
    ['memory:trees/a/b', 'memory:trees/a'],
    ['memory:trees/a', 'memory:trees/a/'],
    ['memory:/trees/a', 'memory:trees//a/b'],
    ['memory:trees/a', 'memory:/trees/a'],
  ])('from %s into %s is refused, and the other folder is not', async (src, dst) => {
    await using unit = await session();
    await unit.call('FA_fs_create_dir', { url: 'memory:trees/a/b' });
    expect((await failureOf(unit.call('FA_sync_dir', { src, dst }))).facts.code).toBe('SVC86201');
    expect(await unit.call('FA_sync_dir', { src, dst: 'memory:trees/ab' })).toMatchObject({ errors: [] });
  });

  it('of this machine is refused whatever the folders are called', async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-overlap-')));
    await mkdir(join(root, 'a/b'), { recursive: true });
    await symlink('a', join(root, 'same'));
    await using unit = await session();
    for (const [src, dst] of [
      [`local:${root}/a`, `${root}/a/b`],
      [`${root}/a/b`, `file:${root}/a`],
      [`local:${relative(process.cwd(), root)}/a`, `local:${root}/same/b`],
    ])
      expect((await failureOf(unit.call('FA_sync_dir', { src, dst, delete: true }))).facts.code).toBe('SVC86201');
    await symlink('nowhere', join(root, 'a/link'));
    expect(await unit.call('FA_sync_dir', { src: `file:${root}/a`, dst: `local:${root}/c` })).toMatchObject({
      copied: ['link'],
      folders_made: ['.', 'b'],
    });
    await rm(root, { recursive: true });
  });
});
