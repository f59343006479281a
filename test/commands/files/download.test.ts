import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { ownIdentity } from '#runtime/services/file-locks/process-identity.ts';
import type { Host } from '#schemas/types/host.ts';

import { openClient } from '../api/port-context.ts';
import { makeCertificates, startHttp, startRaw, startText, startTls, type Started } from '../api/servers.ts';
import { failingFiles } from '../../fixtures/failing-files.ts';
import { failureOf } from '../call.ts';
import { session, type Session } from '../session.ts';

let root = '';
let unit: Session;
const opened: AsyncDisposable[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-download-'));
  unit = await session({ settings: { gates: { private: true } } });
});
afterEach(async () => {
  await unit.end();
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

const content = Buffer.from(Array.from({ length: 200_000 }, (_one, index) => (index * 7 + (index >> 8)) % 251));
const sha256 = createHash('sha256').update(content).digest('hex');
const target = (): string => join(root, 'file.bin');
const there = (): Promise<string[]> => readdir(root).then((names) => names.sort());
const read = (name = 'file.bin'): Promise<Buffer> => readFile(join(root, name));
const get = (url: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> => unit.call('FA_download_file', { url, target: target(), ...params });
const codeOf = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).facts.code;

async function serve(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<Started> {
  const server = await startHttp(listener);
  opened.push(server);
  return server;
}

async function raw(...answers: readonly string[]): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = await startRaw((socket) => {
    socket.once('data', (head) => {
      asked.push(head.toString());
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? '';
      if (answer === '') socket.destroy();
      else socket.end(answer);
    });
  });
  opened.push(server);
  return { url: `${server.url}/file`, asked };
}

interface Cutting {
  etag?: string | undefined;
  modified?: string;
  date?: string;
  cutAt?: number | undefined;
  ranges?: boolean;
  answer?: Buffer;
  readonly asked: { readonly range: string | undefined; readonly ifRange: string | undefined }[];
}

/** Serves `content` with ranges as RFC 9110 asks, and cuts the connection where told. */
async function cutting(options: Omit<Cutting, 'asked'>): Promise<Cutting & { readonly url: string }> {
  const state: Cutting = { ranges: true, ...options, asked: [] };
  const { url } = await serve((request, response) => {
    const { range, 'if-range': ifRange } = request.headers;
    state.asked.push({ range, ifRange: ifRange as string | undefined });
    const all = state.answer ?? content;
    const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    const validator = state.etag ?? state.modified;
    const isPart = state.ranges === true && range !== undefined && (ifRange === undefined || ifRange === validator);
    const headers = { ...(state.etag === undefined ? {} : { etag: state.etag }), ...(state.modified === undefined ? {} : { 'last-modified': state.modified }), ...(state.date === undefined ? {} : { date: state.date }) };
    if (isPart && from >= all.length) return void response.writeHead(416, { ...headers, 'content-range': `bytes */${all.length}` }).end();
    const body = isPart ? all.subarray(from) : all;
    response.writeHead(isPart ? 206 : 200, { ...headers, 'content-length': body.length, ...(isPart ? { 'content-range': `bytes ${from}-${all.length - 1}/${all.length}` } : {}) });
    if (state.cutAt === undefined) response.end(body);
    else response.write(body.subarray(0, state.cutAt), () => setTimeout(() => response.destroy(), 20));
  });
  return Object.assign(state, { url: `${url}/file` });
}

describe('a download', () => {
  it('writes the file whole, makes folders and verifies the digest', async () => {
    const { url } = await cutting({});
    expect(await get(url, { target: join(root, 'a/b/file.bin'), expected_sha256: sha256.toUpperCase(), chunk_size: 1 })).toBe(true);
    expect((await read('a/b/file.bin')).equals(content)).toBe(true);
    expect(await readdir(join(root, 'a/b'))).toEqual(['file.bin']);
  });

  it('takes an empty file', async () => {
    const { url } = await cutting({ answer: Buffer.alloc(0), etag: '"e"' });
    await get(url);
    expect((await read()).length).toBe(0);
    await get(url, { resume: true, target: join(root, 'other') });
    expect(await there()).toEqual(['file.bin', 'other']);
  });

  it('asks for the file unpacked, under its own name, with no credentials', async () => {
    const { url, asked } = await raw('HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename="../../evil"\r\nContent-Length: 2\r\n\r\nok');
    await get(url);
    expect(asked[0]).toMatch(/accept-encoding: identity/i);
    expect(asked[0]).not.toMatch(/cookie|authorization|range/i);
    expect(await there()).toEqual(['file.bin']);
  });

  it('keeps links, and the permissions of the file that they name', async () => {
    const { url } = await cutting({ etag: '"1"' });
    for (const resume of [false, true]) {
      await writeFile(join(root, 'real'), 'old');
      await chmod(join(root, 'real'), 0o640);
      await rm(target(), { force: true });
      await symlink('real', target());
      await get(url, { resume });
      expect((await read('real')).equals(content), String(resume)).toBe(true);
      expect((await stat(join(root, 'real'))).mode & 0o777).toBe(0o640);
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
    expect(await codeOf(get(url))).toBe('SVC8409');
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
    ['a break in the middle', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', 'SVC8308'],
    ['a break between chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n', 'SVC8308'],
    ['a chunk that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nshort\r\n', 'SVC8312'],
    ['a packed body that is none', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nshort', 'SVC8318'],
    ['a coding that nobody knows', 'HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 5\r\n\r\nshort', 'SVC8318'],
    ['a page that is missing', 'HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nshort', 'SVC8675'],
    ['a server in trouble', 'HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\nshort', 'SVC8676'],
    ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', 'SVC8675'],
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 5\r\n\r\nshort', 'SVC8675'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nshort!', 'SVC8312'],
    ['a part that nobody asked for', 'HTTP/1.1 206 Partial\r\nContent-Range: bytes 0-4/5\r\nContent-Length: 5\r\n\r\nshort', 'SVC8678'],
    ['a range that cannot be met though none was asked for', 'HTTP/1.1 416 No\r\nContent-Range: bytes */5\r\nContent-Length: 0\r\n\r\n', 'SVC8675'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'SVC8312'],
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
      expect([facts.code, facts.name]).toEqual(['SVC8680', 'ChecksumMismatchException']);
      await unchanged();
    }
  });

  it('a size above the limit, declared, in chunks, or packed', async () => {
    let sent = 0;
    const { url } = await serve((request, response) => {
      if (request.url === '/declared') response.writeHead(200, { 'content-length': 10_000_000 }).write('x');
      else if (request.url === '/packed') response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.alloc(50_000_000)));
      else {
        const more = (): void => {
          while (sent < 500_000_000 && response.write(Buffer.alloc(65_536))) sent += 65_536;
          response.once('drain', more);
        };
        more();
      }
    });
    for (const path of ['declared', 'chunks', 'packed']) {
      expect(await codeOf(get(`${url}/${path}`, { max_bytes: 1000 })), path).toBe('SVC8677');
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
    expect(facts).toMatchObject({ code: 'SVC8305', message: `GET ${url}/silent had no complete answer within 0.1 s; the time ran out at "body".` });
    expect((await failureOf(get(`${url}/drip`, { timeout: 0.1, total_timeout: 0.3 }))).facts).toMatchObject({ code: 'SVC8305', message: `GET ${url}/drip had no complete answer within 0.3 s; the time ran out at "body".` });
    await unchanged();
  });

  it('a step that is cancelled, or runs out of time', async () => {
    const { url } = await serve((_request, response) => void response.writeHead(200, { 'content-length': 1000 }).write('x'));
    const ended = await unit.step('FA_download_file', { url, target: target() }, { timeout_s: 0.1 });
    expect(ended.failure?.facts.code).toBe('SVC8002');
    await unchanged();
  });

  it('a certificate of an authority that nobody knows, or of another host', async () => {
    using certificates = makeCertificates();
    let asked = 0;
    const server = await startTls(certificates, (_request, response) => void (asked++, response.end('x')));
    opened.push(server);
    const { facts } = await failureOf(get(server.url));
    expect(facts.code).toBe('SVC8310');
    expect(facts.message).toMatch(/unable to verify|self.signed|issuer/i);
    await using renamed = await session({ host: { ...nodeHost(), lookup: async () => ['127.0.0.1'] }, settings: { gates: { private: true } } });
    const other = await failureOf(renamed.call('FA_download_file', { url: server.url.replace('127.0.0.1', 'other.example'), target: target(), verify: certificates.ca }));
    expect(other.facts.code).toBe('SVC8310');
    expect(other.facts.message).toContain('other.example');
    expect(asked).toBe(0);
    await unchanged();
  });

  it('a server that does not speak TLS', async () => {
    const { url } = await cutting({});
    expect(await codeOf(get(url.replace('http:', 'https:')))).toBe('SVC8311');
    await unchanged();
  });
});

it('takes a certificate of an authority that it was given', async () => {
  using certificates = makeCertificates();
  const server = await startTls(certificates, (_request, response) => void response.end('safe'));
  opened.push(server);
  await get(server.url, { verify: certificates.ca });
  expect((await read()).toString()).toBe('safe');
  await get(server.url, { verify: false, target: join(root, 'any') });
});

describe('a transfer with a name', () => {
  const transfers = async (): Promise<unknown> => await unit.call('FA_progress_list');

  it('tells how it ended', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000 });
    await failureOf(get(server.url, { resume: true, progress_name: 'cut' }));
    const kept = (await read('file.bin.part')).length;
    server.cutAt = undefined;
    await failureOf(get(server.url, { max_bytes: 10, progress_name: 'large' }));
    await get(server.url, { resume: true, progress_name: 'continued' });
    await failureOf(get(server.url, { expected_sha256: '0'.repeat(64), progress_name: 'other' }));
    expect(await transfers()).toMatchObject([
      { name: 'cut', status: 'error', total: 200_000, transferred: kept }, { name: 'large', status: 'aborted', transferred: 0 }, { name: 'continued', status: 'done', total: 200_000, transferred: 200_000 },
      { name: 'other', status: 'checksum_failed', transferred: 200_000 },
    ]);
  });

  it('is cancelled by it', async () => {
    const { url } = await serve((_request, response) => void response.writeHead(200, { 'content-length': 1000, etag: '"1"' }).write('x'.repeat(10)));
    const work = failureOf(get(url, { progress_name: 'slow', resume: true, chunk_size: 1 }));
    while (!(await there()).includes('file.bin.part')) await new Promise((next) => setTimeout(next, 10));
    expect(await unit.call('FA_progress_cancel', { name: 'slow' })).toBe(true);
    expect((await work).facts).toMatchObject({ code: 'SVC8649', name: 'CancelledException' });
    expect(await there()).toEqual(['file.bin.part', 'file.bin.part.json']);
    expect(await transfers()).toMatchObject([{ name: 'slow', status: 'cancelled' }]);
  });
});

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
    expect(await codeOf(get(url, { total_timeout: 0.4 }))).toBe('SVC8308');
    expect(asked.length).toBe(1);
  });
});

describe('packed answers', () => {
  const text = Buffer.from('some text, some text, some text');
  it.each([['gzip', gzipSync(text)], ['deflate', deflateSync(text)], ['deflate', deflateRawSync(text)], ['zstd', zstdCompressSync(text)], ['br', brotliCompressSync(text)], ['br, gzip', gzipSync(brotliCompressSync(text))], ['identity', text]])('as %s become the file', async (coding, body) => {
    const { url } = await serve((_request, response) => void response.writeHead(200, { 'content-encoding': coding, 'content-length': body.length, etag: '"1"' }).end(body));
    for (const resume of [false, true]) {
      await get(url, { resume, expected_sha256: createHash('sha256').update(text).digest('hex') });
      expect((await read()).equals(text)).toBe(true);
      expect(await there()).toEqual(['file.bin']);
    }
  });

  it.each(['gzip', 'deflate', 'zstd', 'br'])('that are not %s, or cut short, leave nothing', async (coding) => {
    const packed = { gzip: gzipSync(content), deflate: deflateSync(content), zstd: zstdCompressSync(content), br: brotliCompressSync(content) }[coding] ?? content;
    for (const body of [Buffer.from('not packed at all'), packed.subarray(0, packed.length / 2)]) {
      const { url } = await serve((_request, response) => void response.writeHead(200, { 'content-encoding': coding, 'content-length': body.length }).end(body));
      expect(await codeOf(get(url))).toBe('SVC8318');
      expect(await there()).toEqual([]);
    }
  });

  it('stay packed where the file itself is an archive', async () => {
    const packed = gzipSync(text);
    const { url } = await serve((_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/x-gzip' }).end(packed));
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
    expect(await codeOf(get(`${url}/6`, { follow_redirects: true }))).toBe('SVC8315');
  });

  it('lead nowhere that may not be asked', async () => {
    const { url } = await serve((request, response) => void response.writeHead(302, { location: request.url === '/meta' ? 'http://169.254.169.254/' : 'ftp://files.example/' }).end());
    expect(await codeOf(get(`${url}/meta`, { follow_redirects: true }))).toBe('SVC8671');
    expect(await codeOf(get(`${url}/ftp`, { follow_redirects: true }))).toBe('SVC8316');
    expect(await there()).toEqual([]);
  });

  it('do not lead from https to http', async () => {
    using certificates = makeCertificates();
    const plain = await serve((_request, response) => void response.end('seen by all'));
    const server = await startTls(certificates, (_request, response) => void response.writeHead(302, { location: plain.url }).end());
    opened.push(server);
    await using client = await openClient();
    const receive = client.http.receive({ method: 'GET', url: new URL(server.url), headers: {}, idle_ms: 5000, signal: new AbortController().signal, checked: true, follow: true, verify: certificates.ca });
    expect(await codeOf(receive)).toBe('SVC8674');
  });
});

describe('addresses', () => {
  it('of this machine are refused unless the gate is open', async () => {
    const { url, asked } = await cutting({});
    await using closed = await session();
    const { facts } = await failureOf(closed.call('FA_download_file', { url, target: target() }));
    expect([facts.code, facts.name]).toEqual(['SVC8670', 'UrlValidationException']);
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
    expect(await codeOf(rebound.call('FA_download_file', { url: `http://rebinding.example:${port}/file`, target: target() }))).toBe('SVC8670');
    expect(await codeOf(rebound.call('FA_download_file', { url: `http://rebinding.example:${port}/file`, target: target() }))).toBe('SVC8670');
    expect(asked).toEqual([]);
  });

  it('with user and password are refused', async () => {
    expect(await codeOf(get('http://me:secret@files.example/a'))).toBe('SVC8672');
  });
});

describe('resume', () => {
  it('continues a file with its ETag', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000 });
    expect(await codeOf(get(server.url, { resume: true }))).toBe('SVC8308');
    expect(await there()).toEqual(['file.bin.part', 'file.bin.part.json']);
    const kept = (await read('file.bin.part')).length;
    expect(kept).toBeGreaterThan(0);
    expect((await read('file.bin.part')).equals(content.subarray(0, kept))).toBe(true);
    server.cutAt = undefined;
    expect(await get(server.url, { resume: true, expected_sha256: sha256 })).toBe(true);
    expect(server.asked).toEqual([{ range: undefined, ifRange: undefined }, { range: `bytes=${kept}-`, ifRange: '"v1"' }]);
    expect((await read()).equals(content)).toBe(true);
    expect(await there()).toEqual(['file.bin']);
  });

  it('continues with a Last-Modified that was settled, and with nothing weaker', async () => {
    const modified = 'Mon, 02 Feb 2015 12:00:00 GMT';
    const strong = await cutting({ modified, date: 'Mon, 02 Feb 2015 12:01:00 GMT', cutAt: 50_000 });
    await failureOf(get(strong.url, { resume: true }));
    strong.cutAt = undefined;
    await get(strong.url, { resume: true, expected_sha256: sha256 });
    expect(strong.asked[1]?.ifRange).toBe(modified);
    for (const weak of [{ etag: 'W/"v1"', modified, date: 'Mon, 02 Feb 2016 12:01:00 GMT' }, { modified, date: 'Mon, 02 Feb 2015 12:00:59 GMT' }, {}]) {
      await rm(target());
      const server = await cutting({ ...weak, cutAt: 50_000 });
      await failureOf(get(server.url, { resume: true }));
      expect(await there()).toEqual([]);
      server.cutAt = undefined;
      await get(server.url, { resume: true, expected_sha256: sha256 });
      expect(server.asked[1]?.range).toBeUndefined();
    }
  });

  it('starts over where the file has changed', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000 });
    await failureOf(get(server.url, { resume: true }));
    const changed = Buffer.from(content).fill(9, 0, 1000);
    Object.assign(server, { etag: '"v2"', cutAt: undefined, answer: changed });
    await get(server.url, { resume: true });
    expect((await read()).equals(changed)).toBe(true);
    expect(await there()).toEqual(['file.bin']);
  });

  it('starts over where the server ignores Range', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000, ranges: false });
    await failureOf(get(server.url, { resume: true }));
    server.cutAt = undefined;
    await get(server.url, { resume: true });
    expect((await read()).equals(content)).toBe(true);
  });

  it('does not believe a server that ignores If-Range', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000 });
    await failureOf(get(server.url, { resume: true }));
    const changed = Buffer.from(content).fill(9);
    const careless = await serve((request, response) => {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      response.writeHead(from > 0 ? 206 : 200, { etag: '"v2"', ...(from > 0 ? { 'content-range': `bytes ${from}-${changed.length - 1}/${changed.length}` } : {}) }).end(changed.subarray(from));
    });
    const note = JSON.parse((await read('file.bin.part.json')).toString()) as object;
    await writeFile(join(root, 'file.bin.part.json'), JSON.stringify({ ...note, url: `${careless.url}/file` }));
    await get(`${careless.url}/file`, { resume: true });
    expect((await read()).equals(changed)).toBe(true);
  });

  it('refuses bytes from another place', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000 });
    await failureOf(get(server.url, { resume: true }));
    const off = await raw('HTTP/1.1 206 Partial\r\nETag: "v1"\r\nContent-Range: bytes 7-11/200000\r\nContent-Length: 5\r\n\r\nshort');
    const note = JSON.parse((await read('file.bin.part.json')).toString()) as object;
    await writeFile(join(root, 'file.bin.part.json'), JSON.stringify({ ...note, url: off.url }));
    expect(await codeOf(get(off.url, { resume: true }))).toBe('SVC8678');
    expect((await there()).includes('file.bin')).toBe(false);
  });

  it('finishes a part that is complete already, and starts over where it cannot be', async () => {
    for (const [size, etag] of [[content.length, '"v1"'], [content.length + 5, '"v1"'], [content.length, '"v0"']] as const) {
      const server = await cutting({ etag: '"v1"' });
      await writeFile(join(root, 'file.bin.part'), Buffer.concat([content, Buffer.alloc(5)]).subarray(0, size));
      await writeFile(join(root, 'file.bin.part.json'), JSON.stringify({ version: 1, url: server.url, etag }));
      await get(server.url, { resume: true, expected_sha256: sha256 });
      expect((await read()).equals(content)).toBe(true);
      expect(await there()).toEqual(['file.bin']);
    }
  });

  it('takes no part for its own that belongs to another address, or says nothing', async () => {
    for (const note of ['{"version":1,"url":"http://other.example/file","etag":"\\"v1\\""}', 'no json', '{}', undefined]) {
      const server = await cutting({ etag: '"v1"' });
      await writeFile(join(root, 'file.bin.part'), 'wrong bytes');
      if (note === undefined) await rm(join(root, 'file.bin.part.json'), { force: true });
      else await writeFile(join(root, 'file.bin.part.json'), note);
      await get(server.url, { resume: true });
      expect(server.asked[0]?.range).toBeUndefined();
      expect((await read()).equals(content)).toBe(true);
    }
  });

  it('never writes through a link in the place of its part', async () => {
    const server = await cutting({ etag: '"v1"' });
    await writeFile(join(root, 'precious'), 'precious');
    await symlink('precious', join(root, 'file.bin.part'));
    expect(await codeOf(get(server.url, { resume: true }))).toBe('SVC8422');
    expect((await read('precious')).toString()).toBe('precious');
  });

  const keep = async (url: string, bytes: string | Buffer): Promise<void> => {
    await writeFile(join(root, 'file.bin.part'), bytes);
    await writeFile(join(root, 'file.bin.part.json'), JSON.stringify({ version: 1, url, etag: '"v1"' }));
  };

  it('is for one download at a time: another one fails at once, and a third is left in peace', async () => {
    const go = Promise.withResolvers<void>();
    const first = Promise.withResolvers<void>();
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { etag: '"v1"', 'content-length': content.length }).write(content.subarray(0, 100_000));
      first.resolve();
      void go.promise.then(() => response.end(content.subarray(100_000)));
    });
    const downloading = get(url, { resume: true, expected_sha256: sha256 });
    await first.promise;
    const { facts } = await failureOf(get(url, { resume: true }));
    expect(facts).toMatchObject({ code: 'SVC8720', class: 'transient' });
    expect(facts.help).toContain(`process ${process.pid}`);
    await using other = await session({ settings: { gates: { private: true } } });
    expect(await codeOf(other.call('FA_download_file', { url, target: target(), resume: true }))).toBe('SVC8720');
    go.resolve();
    expect(await downloading).toBe(true);
    expect((await read()).equals(content)).toBe(true);
    expect(await there()).toEqual(['file.bin']);
    await Promise.all(['one', 'two', 'three'].map((name) => get(url, { resume: true, target: join(root, name) })));
  });

  it('takes over from a process that has ended', async () => {
    const server = await cutting({ etag: '"v1"' });
    await keep(server.url, content.subarray(0, 1000));
    const dead = { token: 'a'.repeat(32), owner: { ...ownIdentity(), pid: 2 ** 22 + 1, started: '1' }, since: 'then' };
    await writeFile(join(root, 'file.bin.part.held'), JSON.stringify(dead));
    await get(server.url, { resume: true, expected_sha256: sha256 });
    expect(server.asked[0]?.range).toBe('bytes=1000-');
    expect(await there()).toEqual(['file.bin']);
  });

  it('believes no 416 that speaks of another file of the same size', async () => {
    const { url } = await serve((request, response) => {
      if (request.headers.range === undefined) response.writeHead(200, { etag: '"v2"' }).end('world');
      else response.writeHead(416, { etag: '"v2"', 'content-range': 'bytes */5' }).end();
    });
    await keep(url, 'hello');
    await get(url, { resume: true });
    expect((await read()).toString()).toBe('world');
  });

  it('counts a part that is complete against the limit', async () => {
    const { url } = await serve((_request, response) => void response.writeHead(416, { etag: '"v1"', 'content-range': 'bytes */5' }).end());
    await keep(url, 'hello');
    expect(await codeOf(get(url, { resume: true, max_bytes: 4 }))).toBe('SVC8677');
    expect(await there()).toEqual(['file.bin.part', 'file.bin.part.json']);
  });

  it.each([
    ['ends before its range does', 'bytes 2-9/*', 'SVC8679', 'hello'],
    ['ends behind its file', 'bytes 2-9/5', 'SVC8678', 'he'],
    ['begins behind its end', 'bytes 2-1/5', 'SVC8678', 'he'],
  ])('refuses an answer that %s', async (_what, range, code, kept) => {
    const { url } = await raw(`HTTP/1.1 206 Partial\r\nETag: "v1"\r\nContent-Range: ${range}\r\nConnection: close\r\n\r\nllo`);
    await keep(url, 'he');
    expect(await codeOf(get(url, { resume: true }))).toBe(code);
    expect((await read('file.bin.part')).toString()).toBe(kept);
  });

  it('counts the part against the limit', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000 });
    await failureOf(get(server.url, { resume: true }));
    server.cutAt = undefined;
    expect(await codeOf(get(server.url, { resume: true, max_bytes: 150_000 }))).toBe('SVC8677');
    await get(server.url, { resume: true, max_bytes: 200_000 });
    expect((await read()).equals(content)).toBe(true);
  });
});

it.each([false, true])('any one call of the file system that fails leaves the old file or the new one, and the next download finishes (resume: %s)', async (resume) => {
  const server = await cutting({ etag: '"v1"' });
  for (let nth = 1; ; nth++) {
    await rm(root, { recursive: true });
    await mkdir(root);
    await writeFile(target(), 'old');
    const host = nodeHost();
    const failing = failingFiles(host.files, nth);
    await using broken = await session({ host: { ...host, files: failing.files }, settings: { gates: { private: true } } });
    const ended = await broken.step('FA_download_file', { url: server.url, target: target(), resume, expected_sha256: sha256 });
    await broken.end();
    if (failing.failed === undefined) return expect(nth).toBeGreaterThan(3);
    const written = await read();
    expect(written.equals(content) || written.toString() === 'old', failing.failed).toBe(true);
    expect((await there()).filter((name) => !/^file\.bin(?:\.part(?:\.json)?)?$/.test(name)), failing.failed).toEqual([]);
    if (ended.failure) expect(ended.failure.facts.code, failing.failed).toMatch(/^SVC84/);
    await get(server.url, { resume, expected_sha256: sha256 });
    expect((await read()).equals(content), failing.failed).toBe(true);
    if (resume) expect(await there(), failing.failed).toEqual(['file.bin']);
  }
});

it('tells where nothing listens, and writes nothing', async () => {
  const server = await startText('');
  await server[Symbol.asyncDispose]();
  expect(await codeOf(get(`${server.url}/a`, { total_timeout: 0.3 }))).toBe('SVC8306');
  expect(await there()).toEqual([]);
});
