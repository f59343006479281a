import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import type { HttpRequest } from '#runtime/adapters/http/port.ts';

import { openClient } from '../adapters/port-context.ts';
import { startHttp, type Started } from '../commands/api/servers.ts';
import { session } from '../commands/session.ts';

/** Headers that open doors somewhere, none of which is on a list of headers that everybody may see. */
const secrets: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'authorization',
    'proxy-authorization',
    'cookie',
    'x-api-key',
    'x-auth-token',
    'private-token',
    'x-vault-token',
    'api-key',
    'x-access-token',
    'x-amz-security-token',
    'x-csrf-token',
    'job-token',
    'dd-api-key',
    'x-shopify-access-token',
    'x-goog-api-key',
    'ocp-apim-subscription-key',
    'x-own',
    'referer',
    'origin',
    'forwarded',
    'x-forwarded-for',
  ].map((name) => [name, `secret-of-${name}`]),
);
const harmless: Readonly<Record<string, string>> = {
  accept: 'text/plain',
  'accept-language': 'de',
  'user-agent': 'test',
  'cache-control': 'no-cache',
  'if-none-match': '"1"',
  range: 'bytes=0-',
};

interface Two extends AsyncDisposable {
  readonly first: Started;
  /** The headers of each request that reached the other origin. */
  readonly reached: IncomingMessage['headers'][];
}

/** A server that redirects to another one, over a third address for `/twice`. */
async function two(status = 302): Promise<Two> {
  const reached: IncomingMessage['headers'][] = [];
  const other = await startHttp((request, response) => {
    reached.push(request.headers);
    response.end('there');
  });
  const first = await startHttp((request, response) => {
    const location = request.url === '/twice' ? '/once' : request.url === '/same' ? '/end' : `${other.url}/`;
    if (request.url === '/end') {
      reached.push(request.headers);
      response.end('here');
    } else response.writeHead(status, { location }).end();
  });
  return {
    first,
    reached,
    [Symbol.asyncDispose]: async () => {
      await first[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    },
  };
}

const requestTo = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url: new URL(url),
  headers: { ...secrets, ...harmless },
  timeout_ms: 5000,
  signal: new AbortController().signal,
  follow: true,
  ...more,
});
const kept = (headers: IncomingMessage['headers'] | undefined): string[] =>
  Object.keys(headers ?? {})
    .filter((name) => name in secrets || name in harmless)
    .sort();

describe('a redirect to another origin', () => {
  it.each([301, 302, 303, 307, 308])('of status %i takes none but harmless headers along', async (status) => {
    await using servers = await two(status);
    await using client = await openClient();
    for (const path of ['/', '/twice']) await client.http.send(requestTo(`${servers.first.url}${path}`));
    for (const headers of servers.reached) expect(kept(headers)).toEqual(Object.keys(harmless).sort());
    expect(servers.reached).toHaveLength(2);
  });

  it('takes those along that are told by name', async () => {
    await using servers = await two();
    await using client = await openClient();
    await client.http.send(requestTo(servers.first.url, { redirect_headers: ['x-own', 'private-token'] }));
    expect(kept(servers.reached[0])).toEqual([...Object.keys(harmless), 'private-token', 'x-own'].sort());
  });

  it('of a stream takes no more along', async () => {
    await using servers = await two();
    await using client = await openClient();
    const { timeout_ms: _, ...request } = requestTo(`${servers.first.url}/twice`);
    const stream = await client.http.receive({ ...request, idle_ms: 5000, redirects: 5 });
    stream.close();
    expect(kept(servers.reached[0])).toEqual(Object.keys(harmless).sort());
  });

  it('keeps a body with its description, and drops both where the method changes', async () => {
    for (const [status, type] of [
      [307, 'text/x'],
      [302, undefined],
    ] as const) {
      await using servers = await two(status);
      await using client = await openClient();
      await client.http.send(
        requestTo(servers.first.url, {
          method: 'POST',
          body: 'x',
          headers: { 'content-type': 'text/x', 'x-own': 'no' },
        }),
      );
      expect(servers.reached[0]?.['content-type']).toBe(type);
      expect(servers.reached[0]?.['x-own']).toBeUndefined();
    }
  });
});

describe('a redirect to the same origin', () => {
  it('takes everything along', async () => {
    await using servers = await two();
    await using client = await openClient();
    await client.http.send(requestTo(`${servers.first.url}/same`));
    expect(kept(servers.reached[0])).toEqual(Object.keys({ ...secrets, ...harmless }).sort());
  });
});

describe('commands that follow redirects', () => {
  it.each([
    ['AT_test_api_method', (url: string) => ({ http_method: 'get', test_url: url })],
    ['AT_test_api_method_httpx', (url: string) => ({ http_method: 'get', test_url: url })],
  ])('%s keeps its secrets, and gives away what the call names', async (command, params) => {
    await using servers = await two();
    await using unit = await session();
    const headers = { 'Private-Token': 'secret-one', 'X-Vault-Token': 'secret-two' };
    await unit.call(command, {
      ...params(servers.first.url),
      headers,
      auth: ['me', 'secret-three'],
      cookies: { sid: 'secret-four' },
      allow_redirects: true,
    });
    await unit.call(command, {
      ...params(servers.first.url),
      headers,
      allow_redirects: true,
      redirect_headers: ['Private-Token'],
    });
    expect(JSON.stringify(servers.reached[0])).not.toMatch(/secret/);
    expect(JSON.stringify(servers.reached[1])).toMatch(/secret-one/);
    expect(JSON.stringify(servers.reached[1])).not.toMatch(/secret-two/);
  });
});
