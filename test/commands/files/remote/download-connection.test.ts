import { createHash } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { Host } from '#schemas/types/host.ts';

import { openClient } from '../../../adapters/port-context.ts';
import { makeCertificates, startTls } from '../../api/servers.ts';
import { failureOf } from '../../call.ts';
import { session } from '../../session.ts';
import { codeOf, content, downloads } from './download-place.ts';

const here = downloads();
const { cutting, get, opened, raw, read, serve, target, there } = here;

describe('connecting', () => {
  it('is tried three times where no answer comes', async () => {
    const { url, asked } = await raw('', '', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    const begun = performance.now();
    await get(url);
    expect((await read()).toString()).toBe('ok');
    expect(asked.length).toBe(3);
    expect(performance.now() - begun).toBeGreaterThan(1400);
  });

  it('ends within the time of the whole download', async () => {
    const { url, asked } = await raw('');
    expect(await codeOf(get(url, { total_timeout: 0.4 }))).toBe('SVC83008');
    expect(asked.length).toBe(1);
  });
});

describe('packed answers', () => {
  const text = Buffer.from('some text, some text, some text');
  it.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['br', brotliCompressSync(text)],
    ['br, gzip', gzipSync(brotliCompressSync(text))],
    ['identity', text],
  ])('as %s become the file', async (coding, body) => {
    const { url } = await serve(
      (_request, response) =>
        void response
          .writeHead(200, { 'content-encoding': coding, 'content-length': body.length, etag: '"1"' })
          .end(body),
    );
    for (const resume of [false, true]) {
      await get(url, { resume, expected_sha256: createHash('sha256').update(text).digest('hex') });
      expect((await read()).equals(text)).toBe(true);
      expect(await there()).toEqual(['file.bin']);
    }
  });

  it('in several frames of zstd are not cut behind the first', async () => {
    const body = Buffer.concat([zstdCompressSync(text), zstdCompressSync(text)]);
    const { url } = await serve(
      (_request, response) =>
        void response.writeHead(200, { 'content-encoding': 'zstd', 'content-length': body.length }).end(body),
    );
    // Newer releases of Node read all frames; older ones end with the first, which must not be kept for the whole.
    const refusal = await get(url).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal === undefined) expect(await read()).toEqual(Buffer.concat([text, text]));
    else {
      expect(refusal).toMatchObject({ facts: { code: 'SVC83018' } });
      expect(await there()).toEqual([]);
    }
  });

  it.each(['gzip', 'deflate', 'zstd', 'br'])('that are not %s, or cut short, leave nothing', async (coding) => {
    const packed =
      {
        gzip: gzipSync(content),
        deflate: deflateSync(content),
        zstd: zstdCompressSync(content),
        br: brotliCompressSync(content),
      }[coding] ?? content;
    for (const body of [Buffer.from('not packed at all'), packed.subarray(0, packed.length / 2)]) {
      const { url } = await serve(
        (_request, response) =>
          void response.writeHead(200, { 'content-encoding': coding, 'content-length': body.length }).end(body),
      );
      expect(await codeOf(get(url))).toBe('SVC83018');
      expect(await there()).toEqual([]);
    }
  });

  it('stay packed where the file itself is an archive', async () => {
    const packed = gzipSync(text);
    const { url } = await serve(
      (_request, response) =>
        void response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/x-gzip' }).end(packed),
    );
    await get(url);
    expect((await read()).equals(packed)).toBe(true);
  });
});

describe('redirects', () => {
  it('are followed up to five times where asked', async () => {
    const { url } = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('ok');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    await get(`${url}/5`, { follow_redirects: true });
    expect((await read()).toString()).toBe('ok');
    expect(await codeOf(get(`${url}/6`, { follow_redirects: true }))).toBe('SVC83015');
  });

  it('lead nowhere that may not be asked', async () => {
    const { url } = await serve(
      (request, response) =>
        void response
          .writeHead(302, { location: request.url === '/meta' ? 'http://169.254.169.254/' : 'ftp://files.example/' })
          .end(),
    );
    expect(await codeOf(get(`${url}/meta`, { follow_redirects: true }))).toBe('SVC88001');
    expect(await codeOf(get(`${url}/ftp`, { follow_redirects: true }))).toBe('SVC83016');
    expect(await there()).toEqual([]);
  });

  it('do not lead from https to http', async () => {
    using certificates = makeCertificates();
    const plain = await serve((_request, response) => void response.end('seen by all'));
    const server = await startTls(
      certificates,
      (_request, response) => void response.writeHead(302, { location: plain.url }).end(),
    );
    opened.push(server);
    await using client = await openClient();
    const receive = client.http.receive({
      method: 'GET',
      url: new URL(server.url),
      headers: {},
      idle_ms: 5000,
      signal: new AbortController().signal,
      checked: true,
      follow: true,
      verify: certificates.ca,
    });
    expect(await codeOf(receive)).toBe('SVC88004');
  });
});

describe('addresses', () => {
  it('of this machine are refused unless the gate is open', async () => {
    const { url, asked } = await cutting({});
    await using closed = await session();
    const { facts } = await failureOf(closed.call('FA_download_file', { url, target: target() }));
    expect([facts.code, facts.name]).toEqual(['SVC88000', 'UrlValidationException']);
    expect(asked).toEqual([]);
    expect(await there()).toEqual([]);
  });

  it('are those of the one lookup, whatever the name leads to afterwards', async () => {
    const { url, asked } = await cutting({});
    const port = new URL(url).port;
    let lookups = 0;
    // A public address first, this machine ever after.
    const lookup: Host['lookup'] = async () => (lookups++ === 0 ? ['192.0.2.1'] : ['127.0.0.1']);
    await using rebound = await session({ host: { ...nodeHost(), lookup }, settings: { gates: { private: false } } });
    expect(
      await codeOf(
        rebound.call('FA_download_file', { url: `http://rebinding.example:${port}/file`, target: target() }),
      ),
    ).toBe('SVC88000');
    expect(
      await codeOf(
        rebound.call('FA_download_file', { url: `http://rebinding.example:${port}/file`, target: target() }),
      ),
    ).toBe('SVC88000');
    expect(asked).toEqual([]);
  });

  it('with user and password are refused', async () => {
    expect(await codeOf(get('http://me:secret@files.example/a'))).toBe('SVC88002');
  });

  it('that are none are refused without their login', async () => {
    const { facts } = await failureOf(get('http://me:secret@[fe80::1%25eth0]/a'));
    expect(facts.code).toBe('SVC88002');
    expect(facts.message).not.toContain('secret');
  });
});
