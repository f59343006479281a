import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { sharedKey, textToSign } from '#stdlib/files/backends/blobstore/signature.ts';

import { makeContainer } from '../../../fixtures/azure-container.ts';
import { AZURITE_ACCOUNT, AZURITE_KEY, startAzurite, type Azurite } from '../../../fixtures/azurite.ts';
import { session, type Session } from '../../session.ts';

const open = { settings: { gates: { private: true } } };

describe('the shared key', () => {
  // The samples of the service's documentation of "Authorize with Shared Key".
  test.each([
    [
      'GET http://myaccount.blob.core.windows.net/mycontainer?comp=metadata&restype=container&timeout=20',
      { 'x-ms-date': 'Fri, 26 Jun 2015 23:39:12 GMT', 'x-ms-version': '2015-02-21' },
      0,
      'GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Fri, 26 Jun 2015 23:39:12 GMT\nx-ms-version:2015-02-21\n/myaccount/mycontainer\ncomp:metadata\nrestype:container\ntimeout:20',
    ],
    [
      'PUT http://myaccount.blob.core.windows.net/mycontainer/hello.txt',
      {
        'content-type': 'text/plain; charset=UTF-8',
        'x-ms-date': 'Sun, 20 Sep 2009 20:36:40 GMT',
        'x-ms-meta-m1': 'v1',
        'x-ms-meta-m2': 'v2',
      },
      11,
      'PUT\n\n\n11\n\ntext/plain; charset=UTF-8\n\n\n\n\n\n\nx-ms-date:Sun, 20 Sep 2009 20:36:40 GMT\nx-ms-meta-m1:v1\nx-ms-meta-m2:v2\n/myaccount/mycontainer/hello.txt',
    ],
    [
      'GET http://myaccount.blob.core.windows.net/mycontainer?restype=container&comp=list&include=snapshots&include=metadata&include=uncommittedblobs',
      { 'x-ms-date': 'Sun, 20 Sep 2009 20:36:40 GMT', range: 'bytes=1-2' },
      0,
      'GET\n\n\n\n\n\n\n\n\n\n\nbytes=1-2\nx-ms-date:Sun, 20 Sep 2009 20:36:40 GMT\n/myaccount/mycontainer\ncomp:list\ninclude:metadata,snapshots,uncommittedblobs\nrestype:container',
    ],
  ])('signs what the documentation says of %s', (line, headers, length, text) => {
    const [method = '', url = ''] = line.split(' ');
    const request = { method, url: new URL(url), headers, length };
    expect(textToSign('myaccount', request)).toBe(text);
    const signature = createHmac('sha256', 'secret key').update(text).digest('base64');
    expect(sharedKey('myaccount', Buffer.from('secret key'), request)).toBe(`SharedKey myaccount:${signature}`);
  });
});

describe('FA_blobstore', () => {
  let server: Azurite;
  let folder = '';
  beforeAll(async () => {
    server = await startAzurite();
    await makeContainer(server.connectionString(), 'box');
    folder = await mkdtemp(join(tmpdir(), 'svc-blobs-'));
    await writeFile(join(folder, 'a.txt'), 'content');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const account = (): string => `http://127.0.0.1:${server.port}/${AZURITE_ACCOUNT}`;
  const at = (name: string): string => join(folder, name);
  const upload = async (unit: Session, blob_name: string): Promise<unknown> =>
    await unit.call('FA_blobstore_upload_file', { local_path: at('a.txt'), container: 'box', blob_name });

  /** A signature of the account that may do so much until then. */
  const signature = (permissions: string, expires: string): string => {
    const fields = [AZURITE_ACCOUNT, permissions, 'b', 'sco', '', expires, '', 'http,https', '2021-12-02', '', ''];
    const sig = createHmac('sha256', Buffer.from(AZURITE_KEY, 'base64')).update(fields.join('\n')).digest('base64');
    return new URLSearchParams({
      sv: '2021-12-02',
      ss: 'b',
      srt: 'sco',
      sp: permissions,
      se: expires,
      spr: 'http,https',
      sig,
    }).toString();
  };

  test('takes an account key, a signature in the address, as credential and in a connection string', async () => {
    const sas = signature('rwdlac', '2099-01-01T00:00:00Z');
    for (const login of [
      { account_url: account(), credential: AZURITE_KEY },
      { account_url: account(), credential: `?${sas}` },
      { account_url: `${account()}/?${sas}` },
      { connection_string: `BlobEndpoint=${account()};SharedAccessSignature=${sas}` },
    ]) {
      await using unit = await session(open);
      await unit.call('FA_blobstore_later_init', login);
      await upload(unit, 'sas/a b#%.txt');
      expect(await unit.call('FA_blobstore_list_container', { container: 'box', name_prefix: 'sas' })).toEqual([
        'sas/a b#%.txt',
      ]);
      await unit.call('FA_blobstore_download_file', {
        container: 'box',
        blob_name: 'sas/a b#%.txt',
        target_path: at('back/a.txt'),
      });
      expect(await readFile(at('back/a.txt'), 'utf8')).toBe('content');
    }
  });

  test('refuses a wrong key, an expired and a weak signature, and shows none of them', async () => {
    const other = Buffer.alloc(64, 7).toString('base64');
    for (const [credential, code] of [
      [other, 'SVC88102'],
      [signature('rwdlac', '2001-01-01T00:00:00Z'), 'SVC88102'],
      [signature('r', '2099-01-01T00:00:00Z'), 'SVC88103'],
    ] as const) {
      await using unit = await session(open);
      await unit.call('FA_blobstore_later_init', { account_url: account(), credential });
      await expect(upload(unit, 'never.txt')).rejects.toMatchObject({ facts: { code } });
      const told = JSON.stringify([unit.records, unit.events]);
      expect(told).not.toContain(other);
      expect(told).not.toContain(new URLSearchParams(credential).get('sig') ?? other);
    }
  });

  test.each([
    [{}, 'needed'],
    [{ connection_string: 'AccountName=a' }, 'neither a key nor a signature'],
    [{ connection_string: 'nothing' }, 'names neither'],
    [{ account_url: 'https://me:pw@a.blob.core.windows.net' }, 'holds a login'],
    [{ account_url: 'ftp://a' }, 'no http'],
    [{ account_url: 'http://a.example.org', credential: 'aa.bb.cc' }, 'plain http'],
    [{ account_url: 'http://a.example.org/?sig=x' }, 'plain http'],
    [{ account_url: 'https://a.example.org/?x=1' }, 'no signature'],
    [{ account_url: 'https://a.example.org', credential: '???' }, 'neither a key'],
  ])('refuses the login %j', async (login, words) => {
    await using unit = await session(open);
    await expect(unit.call('FA_blobstore_later_init', login)).rejects.toMatchObject({
      facts: { code: 'SVC88125' },
      message: expect.stringContaining(words) as string,
    });
  });

  test('does not reach this machine where private addresses are closed', async () => {
    await using unit = await session();
    await unit.call('FA_blobstore_later_init', { connection_string: server.connectionString() });
    await expect(upload(unit, 'a.txt')).rejects.toMatchObject({ facts: { code: 'SVC88000' } });
  });

  test('copies between addresses, and names the container alone as no file', async () => {
    await using unit = await session(open);
    await unit.call('FA_blobstore_later_init', { connection_string: server.connectionString() });
    await unit.call('FA_copy_between', { source: at('a.txt'), target: 'az://box/copied/ü.txt' });
    await unit.call('FA_copy_between', { source: 'azure://box/copied/ü.txt', target: 'memory:u' });
    expect(await unit.call('FA_fs_exists', { url: 'memory:u' })).toBe(true);
    await expect(unit.call('FA_copy_between', { source: 'memory:u', target: 'blobstore://box' })).rejects.toThrow(
      'no file',
    );
    expect(
      await unit.call('FA_fs_exists', {
        url: 'az://box/copied/ü.txt',
        storage_options: { connection_string: server.connectionString() },
      }),
    ).toBe(true);
  });

  test('goes by the clock of the service, waits as long as it says, and gives up on a page that repeats', async () => {
    const ahead = 3_600_000;
    const seen: string[] = [];
    const service = createServer((request, response) => {
      const date = String(request.headers['x-ms-date']);
      seen.push(`${request.method} ${new URL(request.url ?? '', 'http://x').searchParams.get('comp') ?? ''}`);
      response.setHeader('date', new Date(Date.now() + ahead).toUTCString());
      if (Date.parse(date) < Date.now() + ahead / 2) {
        response.setHeader('x-ms-error-code', 'AuthenticationFailed').writeHead(403).end();
      } else if (seen.length === 2) {
        response.setHeader('retry-after', '0').setHeader('x-ms-error-code', 'ServerBusy').writeHead(503).end();
      } else response.end('<EnumerationResults><Blobs/><NextMarker>same</NextMarker></EnumerationResults>');
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const { port } = service.address() as AddressInfo;
    await using unit = await session(open);
    await unit.call('FA_blobstore_later_init', { account_url: `http://127.0.0.1:${port}`, credential: AZURITE_KEY });
    await expect(unit.call('FA_blobstore_list_container', { container: 'box' })).rejects.toMatchObject({
      facts: { code: 'SVC88123' },
    });
    expect(seen).toEqual(['GET list', 'GET list', 'GET list', 'GET list']);
    service.close();
    service.closeAllConnections();
  });
});
