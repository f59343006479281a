import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { behindDigest } from '../../fixtures/digest-server.ts';
import { failureOf, session } from '../call.ts';
import { makeCertificates, startHttp, type Started } from './servers.ts';

/** A request as a server saw it. */
interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly length: string | undefined;
  readonly type: string | undefined;
  readonly size: number;
  readonly digest: string;
}

let folder = '';
let server: Started;
let seen: Seen[] = [];
const large = 3_000_001;
const content = Buffer.alloc(large, 'a line of a file\n');
const digestOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-body-'));
  writeFileSync(join(folder, 'large.txt'), content);
  writeFileSync(join(folder, 'empty'), '');
  server = await startHttp((request, response) => void take(request, response));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  const { method, url: path, headers } = request;
  const [length, type] = [headers['content-length'], headers['content-type']];
  seen.push({ method, path, length, type, size, digest: hash.digest('hex') });
  const moved = { '/again': [307, '/kept'], '/away': [303, '/left'] }[path ?? ''];
  if (moved) response.writeHead(Number(moved[0]), { location: String(moved[1]) }).end();
  else response.end('ok');
}

async function sent(params: object, path = '/kept'): Promise<{ readonly result: object; readonly seen: Seen[] }> {
  seen = [];
  await using unit = await session();
  const result = await unit.call('AT_test_api_method', {
    http_method: 'post',
    test_url: server.url + path,
    body_file: join(folder, 'large.txt'),
    ...params,
  });
  return { result: result as object, seen };
}

describe('a body that stands in a file', () => {
  const whole = { size: large, length: String(large), digest: digestOf(content) };

  test('is sent with its length and without a media type of its own', async () => {
    expect(await sent({})).toMatchObject({ result: { request_body: null }, seen: [{ ...whole, method: 'POST' }] });
    expect(seen[0]?.type).toBeUndefined();
    await sent({ headers: { 'Content-Type': 'text/plain' }, data: 'not sent', json: 1, files: { f: 'none' } });
    expect(seen).toMatchObject([{ ...whole, type: 'text/plain' }]);
    expect((await sent({ soap: true })).seen[0]?.type).toBe('application/soap+xml; charset=utf-8');
    expect((await sent({ body_file: join(folder, 'empty') })).seen).toMatchObject([{ size: 0, length: '0' }]);
  });

  test('is read anew for a redirect that keeps it, and left where one drops it', async () => {
    await sent({ allow_redirects: true }, '/again');
    expect(seen).toMatchObject([
      { ...whole, path: '/again' },
      { ...whole, path: '/kept', method: 'POST' },
    ]);
    await sent({ allow_redirects: true }, '/away');
    expect(seen).toMatchObject([whole, { path: '/left', method: 'GET', size: 0 }]);
    expect(seen[1]?.length).toBeUndefined();
  });

  test('goes behind a Digest login, and over HTTP/2', async () => {
    const got: string[] = [];
    await using guarded = await startHttp(
      behindDigest((request, response) => void text(request).then((body) => (got.push(body), response.end('in')))),
    );
    await sent({ test_url: `${guarded.url}/up`, auth: ['ada', 'secret'], auth_scheme: 'digest' });
    expect(got.map(digestOf)).toEqual([whole.digest]);
    using certificates = makeCertificates();
    const second = createSecureServer({ key: readFileSync(certificates.key), cert: readFileSync(certificates.cert) });
    second.on('stream', (stream) => void text(stream).then((body) => stream.end(digestOf(body))));
    await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve));
    await using unit = await session();
    const answer = await unit.call('AT_test_api_method_httpx', {
      http_method: 'put',
      test_url: `https://127.0.0.1:${(second.address() as AddressInfo).port}/up`,
      http2: true,
      verify: certificates.ca,
      body_file: join(folder, 'large.txt'),
    });
    second.close();
    expect(answer).toMatchObject({ text: whole.digest });
  });

  test('that is not there, or is a folder, is named before anything is sent', async () => {
    for (const path of [join(folder, 'none'), folder])
      expect((await failureOf(sent({ body_file: path }))).facts.code).toBe('SVC85000');
    expect(seen).toEqual([]);
  });

  test('that gets shorter while it is sent breaks the request off', async () => {
    const path = join(folder, 'shrinks');
    await using slow = await startHttp((request, response) => {
      request.once('data', () => truncateSync(path, 0));
      request.on('end', () => response.end());
    });
    writeFileSync(path, '');
    truncateSync(path, 64 * 1024 * 1024);
    const error = await failureOf(sent({ test_url: `${slow.url}/up`, body_file: path }));
    expect(error.facts.code).toBe('SVC83013');
    expect(error.message).toContain('body length does not match');
  });

  test('races and loads too', async () => {
    seen = [];
    await using unit = await session({ root: folder, host: nodeHost({ cwd: folder, env: process.env }) });
    const requests = [{ http_method: 'put', test_url: `${server.url}/kept`, body_file: join(folder, 'large.txt') }];
    await unit.call('AT_race_requests', { requests, copies: 3, within_ms: 1000 });
    expect(seen).toMatchObject([whole, whole, whole]);
    const action_file = join(folder, 'load.yaml');
    writeFileSync(
      action_file,
      `- AT_test_api_method: { http_method: put, test_url: '${server.url}/load', body_file: '${join(folder, 'large.txt')}' }\n`,
    );
    seen = [];
    const profile = { rate: 5, test_time: 1 };
    expect(await unit.call('AT_run_load_test', { action_file, profile })).toMatchObject({ ok: true });
    expect(seen.length).toBeGreaterThan(0);
    for (const one of seen) expect(one).toMatchObject(whole);
    const script = unit.call('AT_write_load_test', { output_path: join(folder, 'none.js'), action_file });
    expect((await failureOf(script)).message).toContain('sends files');
  });
});

/** Peak memory (KiB) of a process of its own that sends a file of so many MiB, all of it a hole. */
async function peak(mebibytes: number): Promise<number> {
  const path = join(folder, `hole-${mebibytes}`);
  writeFileSync(path, '');
  truncateSync(path, mebibytes * 1024 * 1024);
  const call = { http_method: 'put', test_url: `${server.url}/kept`, body_file: path, timeout: 120 };
  const program = `import { call } from '${new URL('../call.ts', import.meta.url).href}';
await call('AT_test_api_method', ${JSON.stringify(call)});
console.log(process.resourceUsage().maxRSS);`;
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return Number(await text(child.stdout));
}

test('1 GiB is sent in the memory that 64 MiB take', { timeout: 180_000 }, async () => {
  const small = await peak(64);
  seen = [];
  const most = await peak(1024);
  expect(seen).toMatchObject([{ size: 1024 ** 3 }]);
  expect(most - small).toBeLessThan(96 * 1024);
});
