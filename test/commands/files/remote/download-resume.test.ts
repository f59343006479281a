import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { ownIdentity } from '#runtime/services/file-locks/process-identity.ts';

import { failingFiles } from '../../../fixtures/failing-files.ts';
import { failureOf } from '../../call.ts';
import { session } from '../../session.ts';
import { codeOf, content, downloads, sha256 } from './download-place.ts';

const here = downloads();
const { cutting, get, raw, read, serve, target, there } = here;

describe('resume', () => {
  it('continues a file with its ETag', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000 });
    expect(await codeOf(get(server.url, { resume: true }))).toBe('SVC83008');
    expect(await there()).toEqual(['file.bin.part', 'file.bin.part.json']);
    const kept = (await read('file.bin.part')).length;
    expect(kept).toBeGreaterThan(0);
    expect((await read('file.bin.part')).equals(content.subarray(0, kept))).toBe(true);
    server.cutAt = undefined;
    expect(await get(server.url, { resume: true, expected_sha256: sha256 })).toBe(true);
    expect(server.asked).toEqual([
      { range: undefined, ifRange: undefined },
      { range: `bytes=${kept}-`, ifRange: '"v1"' },
    ]);
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
    for (const weak of [
      { etag: 'W/"v1"', modified, date: 'Mon, 02 Feb 2016 12:01:00 GMT' },
      { modified, date: 'Mon, 02 Feb 2015 12:00:59 GMT' },
      {},
    ]) {
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
      response
        .writeHead(from > 0 ? 206 : 200, {
          etag: '"v2"',
          ...(from > 0 ? { 'content-range': `bytes ${from}-${changed.length - 1}/${changed.length}` } : {}),
        })
        .end(changed.subarray(from));
    });
    const note = JSON.parse((await read('file.bin.part.json')).toString()) as object;
    await writeFile(join(here.root, 'file.bin.part.json'), JSON.stringify({ ...note, url: `${careless.url}/file` }));
    await get(`${careless.url}/file`, { resume: true });
    expect((await read()).equals(changed)).toBe(true);
  });

  it('refuses bytes from another place', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000 });
    await failureOf(get(server.url, { resume: true }));
    const off = await raw(
      'HTTP/1.1 206 Partial\r\nETag: "v1"\r\nContent-Range: bytes 7-11/200000\r\nContent-Length: 5\r\n\r\nshort',
    );
    const note = JSON.parse((await read('file.bin.part.json')).toString()) as object;
    await writeFile(join(here.root, 'file.bin.part.json'), JSON.stringify({ ...note, url: off.url }));
    expect(await codeOf(get(off.url, { resume: true }))).toBe('SVC88008');
    expect((await there()).includes('file.bin')).toBe(false);
  });

  it('finishes a part that is complete already, and starts over where it cannot be', async () => {
    for (const [size, etag] of [
      [content.length, '"v1"'],
      [content.length + 5, '"v1"'],
      [content.length, '"v0"'],
    ] as const) {
      const server = await cutting({ etag: '"v1"' });
      await writeFile(join(here.root, 'file.bin.part'), Buffer.concat([content, Buffer.alloc(5)]).subarray(0, size));
      await writeFile(join(here.root, 'file.bin.part.json'), JSON.stringify({ version: 1, url: server.url, etag }));
      await get(server.url, { resume: true, expected_sha256: sha256 });
      expect((await read()).equals(content)).toBe(true);
      expect(await there()).toEqual(['file.bin']);
    }
  });

  it('takes no part for its own that belongs to another address, or says nothing', async () => {
    for (const note of [
      '{"version":1,"url":"http://other.example/file","etag":"\\"v1\\""}',
      'no json',
      '{}',
      undefined,
    ]) {
      const server = await cutting({ etag: '"v1"' });
      await writeFile(join(here.root, 'file.bin.part'), 'wrong bytes');
      if (note === undefined) await rm(join(here.root, 'file.bin.part.json'), { force: true });
      else await writeFile(join(here.root, 'file.bin.part.json'), note);
      await get(server.url, { resume: true });
      expect(server.asked[0]?.range).toBeUndefined();
      expect((await read()).equals(content)).toBe(true);
    }
  });

  it('never writes through a link in the place of its part', async () => {
    const server = await cutting({ etag: '"v1"' });
    await writeFile(join(here.root, 'precious'), 'precious');
    await symlink('precious', join(here.root, 'file.bin.part'));
    expect(await codeOf(get(server.url, { resume: true }))).toBe('SVC85022');
    expect((await read('precious')).toString()).toBe('precious');
  });

  const keep = async (url: string, bytes: string | Buffer): Promise<void> => {
    await writeFile(join(here.root, 'file.bin.part'), bytes);
    await writeFile(join(here.root, 'file.bin.part.json'), JSON.stringify({ version: 1, url, etag: '"v1"' }));
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
    expect(facts).toMatchObject({ code: 'SVC88020', class: 'transient' });
    expect(facts.help).toContain(`process ${process.pid}`);
    await using other = await session({ settings: { gates: { private: true } } });
    expect(await codeOf(other.call('FA_download_file', { url, target: target(), resume: true }))).toBe('SVC88020');
    go.resolve();
    expect(await downloading).toBe(true);
    expect((await read()).equals(content)).toBe(true);
    expect(await there()).toEqual(['file.bin']);
    await Promise.all(['one', 'two', 'three'].map((name) => get(url, { resume: true, target: join(here.root, name) })));
  });

  it('takes over from a process that has ended', async () => {
    const server = await cutting({ etag: '"v1"' });
    await keep(server.url, content.subarray(0, 1000));
    const dead = { token: 'a'.repeat(32), owner: { ...ownIdentity(), pid: 2 ** 22 + 1, started: '1' }, since: 'then' };
    await writeFile(join(here.root, 'file.bin.part.held'), JSON.stringify(dead));
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
    const { url } = await serve(
      (_request, response) => void response.writeHead(416, { etag: '"v1"', 'content-range': 'bytes */5' }).end(),
    );
    await keep(url, 'hello');
    expect(await codeOf(get(url, { resume: true, max_bytes: 4 }))).toBe('SVC88007');
    expect(await there()).toEqual(['file.bin.part', 'file.bin.part.json']);
  });

  it.each([
    ['ends before its range does', 'bytes 2-9/*', 'SVC88009', 'hello'],
    ['ends behind its file', 'bytes 2-9/5', 'SVC88008', 'he'],
    ['begins behind its end', 'bytes 2-1/5', 'SVC88008', 'he'],
  ])('refuses an answer that %s', async (_what, range, code, kept) => {
    const { url } = await raw(
      `HTTP/1.1 206 Partial\r\nETag: "v1"\r\nContent-Range: ${range}\r\nConnection: close\r\n\r\nllo`,
    );
    await keep(url, 'he');
    expect(await codeOf(get(url, { resume: true }))).toBe(code);
    expect((await read('file.bin.part')).toString()).toBe(kept);
  });

  it('counts the part against the limit', async () => {
    const server = await cutting({ etag: '"v1"', cutAt: 120_000 });
    await failureOf(get(server.url, { resume: true }));
    server.cutAt = undefined;
    expect(await codeOf(get(server.url, { resume: true, max_bytes: 150_000 }))).toBe('SVC88007');
    await get(server.url, { resume: true, max_bytes: 200_000 });
    expect((await read()).equals(content)).toBe(true);
  });
});

it.each([false, true])(
  'any one call of the file system that fails leaves the old file or the new one, and the next download finishes (resume: %s)',
  async (resume) => {
    const server = await cutting({ etag: '"v1"' });
    for (let nth = 1; ; nth++) {
      await rm(here.root, { recursive: true });
      await mkdir(here.root);
      await writeFile(target(), 'old');
      const host = nodeHost();
      const failing = failingFiles(host.files, nth);
      await using broken = await session({
        host: { ...host, files: failing.files },
        settings: { gates: { private: true } },
      });
      const ended = await broken.step('FA_download_file', {
        url: server.url,
        target: target(),
        resume,
        expected_sha256: sha256,
      });
      await broken.end();
      if (failing.failed === undefined) return expect(nth).toBeGreaterThan(3);
      const written = await read();
      expect(written.equals(content) || written.toString() === 'old', failing.failed).toBe(true);
      expect(
        (await there()).filter((name) => !/^file\.bin(?:\.part(?:\.json)?)?$/.test(name)),
        failing.failed,
      ).toEqual([]);
      if (ended.failure) expect(ended.failure.facts.code, failing.failed).toMatch(/^SVC85/);
      await get(server.url, { resume, expected_sha256: sha256 });
      expect((await read()).equals(content), failing.failed).toBe(true);
      if (resume) expect(await there(), failing.failed).toEqual(['file.bin']);
    }
  },
);
