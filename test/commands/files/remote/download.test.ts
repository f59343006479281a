import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import { beforeEach, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { makeCertificates, startText, startTls } from '../../api/servers.ts';
import { failureOf } from '../../call.ts';
import { session } from '../../session.ts';
import { codeOf, content, downloads, sha256 } from './download-place.ts';

const here = downloads();
const { cutting, get, opened, raw, read, serve, target, there } = here;

describe('a download', () => {
  it('writes the file whole, makes folders and verifies the digest', async () => {
    const { url } = await cutting({});
    expect(
      await get(url, { target: join(here.root, 'a/b/file.bin'), expected_sha256: sha256.toUpperCase(), chunk_size: 1 }),
    ).toBe(true);
    expect((await read('a/b/file.bin')).equals(content)).toBe(true);
    expect(await readdir(join(here.root, 'a/b'))).toEqual(['file.bin']);
  });

  it('takes an empty file', async () => {
    const { url } = await cutting({ answer: Buffer.alloc(0), etag: '"e"' });
    await get(url);
    expect((await read()).length).toBe(0);
    await get(url, { resume: true, target: join(here.root, 'other') });
    expect(await there()).toEqual(['file.bin', 'other']);
  });

  it('asks for the file unpacked, under its own name, with no credentials', async () => {
    const { url, asked } = await raw(
      'HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename="../../evil"\r\nContent-Length: 2\r\n\r\nok',
    );
    await get(url);
    expect(asked[0]).toMatch(/accept-encoding: identity/i);
    expect(asked[0]).not.toMatch(/cookie|authorization|range/i);
    expect(await there()).toEqual(['file.bin']);
  });

  it('keeps links, and the permissions of the file that they name', async () => {
    const { url } = await cutting({ etag: '"1"' });
    for (const resume of [false, true]) {
      await writeFile(join(here.root, 'real'), 'old');
      await chmod(join(here.root, 'real'), 0o640);
      await rm(target(), { force: true });
      await symlink('real', target());
      await get(url, { resume });
      expect((await read('real')).equals(content), String(resume)).toBe(true);
      expect((await stat(join(here.root, 'real'))).mode & 0o777).toBe(0o640);
      expect(await there()).toEqual(['file.bin', 'real']);
    }
  });

  it('gives the time of the server where asked', async () => {
    const modified = 'Mon, 02 Feb 2015 12:00:00 GMT';
    const { url } = await cutting({ modified });
    await get(url);
    expect((await stat(target())).mtimeMs).toBeGreaterThan(Date.parse(modified) + 1e9);
    for (const resume of [false, true]) {
      await get(url, { keep_time: true, resume });
      expect((await stat(target())).mtimeMs).toBe(Date.parse(modified));
    }
  });

  it('refuses a folder as the target before anything is asked', async () => {
    const { url, asked } = await cutting({});
    await mkdir(target());
    expect(await codeOf(get(url))).toBe('SVC85009');
    expect(asked).toEqual([]);
  });
});

describe('what fails leaves the target as it was', () => {
  const old = 'what was there';
  beforeEach(() => writeFile(target(), old));
  const unchanged = async (): Promise<void> => {
    expect(await there()).toEqual(['file.bin']);
    expect((await read()).toString()).toBe(old);
  };

  it.each([
    ['a break in the middle', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', 'SVC83008'],
    ['a break between chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n', 'SVC83008'],
    ['a chunk that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nshort\r\n', 'SVC83012'],
    [
      'a packed body that is none',
      'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nshort',
      'SVC83018',
    ],
    [
      'a coding that nobody knows',
      'HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 5\r\n\r\nshort',
      'SVC83018',
    ],
    ['a page that is missing', 'HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nshort', 'SVC88005'],
    ['a server in trouble', 'HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\nshort', 'SVC88006'],
    ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', 'SVC88005'],
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 5\r\n\r\nshort', 'SVC88005'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nshort!', 'SVC83012'],
    [
      'a part that nobody asked for',
      'HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-4/5\r\nContent-Length: 5\r\n\r\nshort',
      'SVC88008',
    ],
    [
      'a range that cannot be met though none was asked for',
      'HTTP/1.1 416 No\r\nContent-Range: bytes */5\r\nContent-Length: 0\r\n\r\n',
      'SVC88005',
    ],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'SVC83012'],
  ])('%s', async (_what, answer, code) => {
    const { url, asked } = await raw(answer);
    expect(await codeOf(get(url))).toBe(code);
    expect(asked.length).toBe(1);
    await unchanged();
  });

  it('another digest', async () => {
    const { url } = await cutting({ etag: '"1"' });
    for (const resume of [false, true]) {
      const { facts } = await failureOf(get(url, { expected_sha256: '0'.repeat(64), resume }));
      expect([facts.code, facts.name]).toEqual(['SVC88010', 'ChecksumMismatchException']);
      await unchanged();
    }
  });

  it('a size above the limit, declared, in chunks, or packed', async () => {
    let sent = 0;
    const { url } = await serve((request, response) => {
      if (request.url === '/declared') response.writeHead(200, { 'content-length': 10_000_000 }).write('x');
      else if (request.url === '/packed')
        response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.alloc(50_000_000)));
      else {
        const more = (): void => {
          while (sent < 500_000_000 && response.write(Buffer.alloc(65_536))) sent += 65_536;
          response.once('drain', more);
        };
        more();
      }
    });
    for (const path of ['declared', 'chunks', 'packed']) {
      expect(await codeOf(get(`${url}/${path}`, { max_bytes: 1000 })), path).toBe('SVC88007');
      await unchanged();
    }
    // The server had to wait: what was on its way is in the buffers of the connection.
    expect(sent).toBeLessThan(50_000_000);
  });

  it('a server that falls silent, and one that gives a byte now and then', async () => {
    const { url } = await serve((request, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('x');
      if (request.url === '/drip') setInterval(() => response.write('x'), 20).unref();
    });
    const { facts } = await failureOf(get(`${url}/silent`, { timeout: 0.1 }));
    expect(facts).toMatchObject({
      code: 'SVC83005',
      message: `GET ${url}/silent had no complete answer within 0.1 s; the time ran out at "body".`,
    });
    expect((await failureOf(get(`${url}/drip`, { timeout: 0.1, total_timeout: 0.3 }))).facts).toMatchObject({
      code: 'SVC83005',
      message: `GET ${url}/drip had no complete answer within 0.3 s; the time ran out at "body".`,
    });
    await unchanged();
  });

  it('a step that is cancelled, or runs out of time', async () => {
    const { url } = await serve(
      (_request, response) => void response.writeHead(200, { 'content-length': 1000 }).write('x'),
    );
    const ended = await here.unit.step('FA_download_file', { url, target: target() }, { timeout_s: 0.1 });
    expect(ended.failure?.facts.code).toBe('SVC80002');
    await unchanged();
  });

  it('a certificate of an authority that nobody knows, or of another host', async () => {
    using certificates = makeCertificates();
    let asked = 0;
    const server = await startTls(certificates, (_request, response) => void (asked++, response.end('x')));
    opened.push(server);
    const { facts } = await failureOf(get(server.url));
    expect(facts.code).toBe('SVC83010');
    expect(facts.message).toMatch(/unable to verify|self.signed|issuer/i);
    await using renamed = await session({
      host: { ...nodeHost(), lookup: async () => ['127.0.0.1'] },
      settings: { gates: { private: true } },
    });
    const other = await failureOf(
      renamed.call('FA_download_file', {
        url: server.url.replace('127.0.0.1', 'other.example'),
        target: target(),
        verify: certificates.ca,
      }),
    );
    expect(other.facts.code).toBe('SVC83010');
    expect(other.facts.message).toContain('other.example');
    expect(asked).toBe(0);
    await unchanged();
  });

  it('a server that does not speak TLS', async () => {
    const { url } = await cutting({});
    expect(await codeOf(get(url.replace('http:', 'https:')))).toBe('SVC83035');
    await unchanged();
  });
});

it('takes a certificate of an authority that it was given', async () => {
  using certificates = makeCertificates();
  const server = await startTls(certificates, (_request, response) => void response.end('safe'));
  opened.push(server);
  await get(server.url, { verify: certificates.ca });
  expect((await read()).toString()).toBe('safe');
  await get(server.url, { verify: false, target: join(here.root, 'any') });
});

describe('a transfer with a name', () => {
  const transfers = async (): Promise<unknown> => await here.unit.call('FA_progress_list');

  it('tells how it ended', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000 });
    await failureOf(get(server.url, { resume: true, progress_name: 'cut' }));
    const kept = (await read('file.bin.part')).length;
    server.cutAt = undefined;
    await failureOf(get(server.url, { max_bytes: 10, progress_name: 'large' }));
    await get(server.url, { resume: true, progress_name: 'continued' });
    await failureOf(get(server.url, { expected_sha256: '0'.repeat(64), progress_name: 'other' }));
    expect(await transfers()).toMatchObject([
      { name: 'cut', status: 'error', total: 200_000, transferred: kept },
      { name: 'large', status: 'aborted', transferred: 0 },
      { name: 'continued', status: 'done', total: 200_000, transferred: 200_000 },
      { name: 'other', status: 'checksum_failed', transferred: 200_000 },
    ]);
  });

  it('is cancelled by it', async () => {
    const { url } = await serve(
      (_request, response) =>
        void response.writeHead(200, { 'content-length': 1000, etag: '"1"' }).write('x'.repeat(10)),
    );
    const work = failureOf(get(url, { progress_name: 'slow', resume: true, chunk_size: 1 }));
    while (!(await there()).includes('file.bin.part')) await new Promise((next) => setTimeout(next, 10));
    expect(await here.unit.call('FA_progress_cancel', { name: 'slow' })).toBe(true);
    expect((await work).facts).toMatchObject({ code: 'SVC87009', name: 'CancelledException' });
    expect(await there()).toEqual(['file.bin.part', 'file.bin.part.json']);
    expect(await transfers()).toMatchObject([{ name: 'slow', status: 'cancelled' }]);
  });
});

it('tells where nothing listens, and writes nothing', async () => {
  const server = await startText('');
  await server[Symbol.asyncDispose]();
  expect(await codeOf(get(`${server.url}/a`, { total_timeout: 0.3 }))).toBe('SVC83006');
  expect(await there()).toEqual([]);
});
