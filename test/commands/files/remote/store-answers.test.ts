import type { RequestListener } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { webBackend } from '#stdlib/files/backends/storage/web.ts';
import type { Backend } from '#stdlib/files/backends/backend.ts';

import { AZURITE_KEY } from '../../../fixtures/azurite.ts';
import { failureOf, session, type Session } from '../../call.ts';
import { startHttp, type Started } from '../../api/servers.ts';

const { signal } = new AbortController();
const LARGEST = 20 * 1024 * 1024;
let unit: Session;
let server: Started;
let answer: RequestListener = (_, response) => response.end();
beforeAll(async () => {
  unit = await session({ settings: { gates: { private: true } } });
  server = await startHttp((request, response) => answer(request, response));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await unit.end();
});

const store = async (): Promise<Backend> => {
  const port = await unit.work.port('objstore', unit.work.linked);
  return port.open({ accessKey: 'k', secretKey: 's', region: 'eu-west-1', endpoint: server.url }, { signal });
};

describe('an object store', () => {
  it.each([
    ['InvalidAccessKeyId', 403, 'storage-login'],
    ['SignatureDoesNotMatch', 403, 'storage-login'],
    ['ExpiredToken', 400, 'storage-login'],
    ['InvalidToken', 400, 'storage-login'],
    ['QuotaExceeded', 403, 'storage-full'],
    ['OperationAborted', 409, 'storage-unavailable'],
    ['Whatever', 409, 'storage-unavailable'],
  ])('that says %s with status %i: %s', async (code, status, name) => {
    answer = ({ method }, response) =>
      method === 'HEAD'
        ? response.end()
        : response.writeHead(status).end(`<Error><Code>${code}</Code><Message>m</Message></Error>`);
    const backend = await store();
    const failure = await failureOf((async () => await backend.read('bucket/a', { signal }))());
    expect(failure.facts.name).toBe(name);
  });

  const md5 = 'd41d8cd98f00b204e9800998ecf8427e';
  it.each([
    [{ etag: `"${md5}"` }, md5],
    [{ etag: md5.toUpperCase() }, md5],
    [{ etag: `"${md5}-2"` }, undefined],
    [{ etag: `"${md5}"`, 'x-amz-server-side-encryption': 'aws:kms' }, undefined],
    [{ etag: `"${md5}"`, 'x-amz-server-side-encryption': 'AES256' }, md5],
    [{ etag: `"${md5}"`, 'x-amz-server-side-encryption-customer-algorithm': 'AES256' }, undefined],
    [{}, undefined],
  ])('that sends %j: the digest is %s', async (headers, digest) => {
    answer = (_, response) =>
      response.writeHead(200, { ...headers, 'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT' }).end();
    const backend = await store();
    const entry = await backend.stat('bucket/a', { signal });
    expect([entry?.digest, entry?.mtime_ms]).toEqual([digest, Date.parse('2026-01-02T03:04:05Z')]);
  });
});

describe('a blob store', () => {
  it('that tells when a blob was changed is believed', async () => {
    answer = (_, response) => response.writeHead(200, { 'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT' }).end();
    const port = await unit.work.port('blobstore', unit.work.linked);
    const connectionString = `BlobEndpoint=${server.url}/account;AccountName=account;AccountKey=${AZURITE_KEY}`;
    const backend = await port.open({ connectionString }, { signal });
    const entry = await backend.stat('box/a', { signal });
    expect(entry).toMatchObject({ kind: 'file', mtime_ms: Date.parse('2026-01-02T03:04:05Z') });
  });
});

describe('a file of the web', () => {
  const file = (): Promise<Backend> =>
    unit.work.port('http', unit.work.linked).then((http) => webBackend(http, `${server.url}/a.txt`));
  const stat = async (headers: Readonly<Record<string, string>>, status = 200) => {
    answer = (_, response) => response.writeHead(status, headers).end();
    return (await file()).stat('a.txt', { signal });
  };

  it('has the size, the time and the version that the server says', async () => {
    const headers = { 'content-length': '7', 'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT', etag: '"v"' };
    expect(await stat(headers)).toEqual({
      path: 'a.txt',
      name: 'a.txt',
      kind: 'file',
      size: 7,
      mtime_ms: Date.parse('2026-01-02T03:04:05Z'),
      version: '"v"',
    });
    expect(await stat({ 'content-length': String(LARGEST) })).toMatchObject({ size: LARGEST });
    expect([await stat({}, 404), await stat({}, 410)]).toEqual([undefined, undefined]);
  });

  it('is refused where it is too large', async () => {
    await expect(stat({ 'content-length': String(LARGEST + 1) })).rejects.toThrow(String(LARGEST));
  });
});
