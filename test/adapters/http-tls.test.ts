import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  makeCertificates,
  startHttp,
  startHttp2,
  startProxy,
  startTls,
  type Certificates,
} from '../commands/api/servers.ts';
import { lacks } from '../fixtures/programs.ts';
import { failure, send, text } from './http-sending.ts';
import { openClient } from './port-context.ts';

describe.skipIf(lacks('openssl'))('TLS', () => {
  let certificates: Certificates;
  beforeAll(() => {
    certificates = makeCertificates();
  });
  afterAll(() => certificates[Symbol.dispose]());

  test('an unknown authority is refused, accepted by its certificate (file or folder), or not checked', async () => {
    await using server = await startTls(certificates, (_, response) => response.end('secret'));
    await using client = await openClient();
    const error = await failure(send(client, server.url));
    expect(error.facts).toMatchObject({ code: 'SVC83010', class: 'environment', kinds: [] });
    expect(text(await send(client, server.url, { verify: certificates.ca }))).toBe('secret');
    expect(text(await send(client, server.url, { verify: certificates.folder }))).toBe('secret');
    const open = await send(client, server.url, { verify: false });
    expect(open.timings.tls).toBeTypeOf('number');
  });

  test('a name that the certificate does not hold is refused', async () => {
    const misnamed = { ...certificates, cert: certificates.clientCert, key: certificates.clientKey };
    await using server = await startTls(misnamed, (_, response) => response.end());
    await using client = await openClient();
    expect((await failure(send(client, server.url, { verify: certificates.ca }))).facts.code).toBe('SVC83010');
  });

  test('a client certificate is shown, from two files or one; without it the handshake fails', async () => {
    await using server = await startTls(certificates, (_, response) => response.end('known'), true);
    await using client = await openClient();
    const verify = certificates.ca;
    expect(
      text(await send(client, server.url, { verify, cert: [certificates.clientCert, certificates.clientKey] })),
    ).toBe('known');
    expect(text(await send(client, server.url, { verify, cert: certificates.clientBoth }))).toBe('known');
    const without = await failure(send(client, server.url, { verify }));
    expect(['SVC83008', 'SVC83011']).toContain(without.facts.code);
    expect(without.facts.help).toContain('client certificate (`cert`)');
  });

  test('a client certificate is shown to the origin that it was given for, not to one that a redirect leads to', async () => {
    const reached: string[] = [];
    await using other = await startTls(certificates, (_, response) => (reached.push('other'), response.end()), true);
    await using first = await startTls(
      certificates,
      (_, response) => response.writeHead(302, { location: other.url }).end(),
      true,
    );
    await using client = await openClient();
    const options = { verify: certificates.ca, cert: certificates.clientBoth, follow: true };
    const refused = ['SVC83008', 'SVC83011'];
    expect(refused).toContain((await failure(send(client, first.url, options))).facts.code);
    const stream = client.http.receive({
      ...{ method: 'GET', url: new URL(first.url), headers: {}, timeout_ms: 5000, idle_ms: 5000 },
      ...options,
      signal: new AbortController().signal,
    });
    expect(refused).toContain((await failure(stream)).facts.code);
    expect(reached).toEqual([]);
  });

  test('files that are missing or no certificates are named before anything is sent', async () => {
    await using client = await openClient();
    const missing = await failure(send(client, 'https://127.0.0.1:1/', { verify: '/no/such.pem' }));
    expect(missing.message).toBe('The file "/no/such.pem" given as `verify` cannot be used: ENOENT.');
    expect((await failure(send(client, 'https://127.0.0.1:1/', { cert: certificates.key }))).facts.code).toBe(
      'SVC83021',
    );
  });

  test('HTTP/2 is spoken when it is asked for', async () => {
    await using server = await startHttp2(certificates, 'over two');
    await using client = await openClient();
    expect(text(await send(client, server.url, { verify: certificates.ca, http2: true }))).toBe('over two');
    await failure(send(client, server.url, { verify: certificates.ca }));
  });

  test('plain HTTP on a TLS port and the other way round fail in words', async () => {
    await using plain = await startHttp((_, response) => response.end());
    await using client = await openClient();
    const refused = await failure(send(client, plain.url.replace('http', 'https')));
    expect(refused.facts).toMatchObject({ code: 'SVC83035', help: expect.stringContaining('http://') as string });
    expect(refused.message).toContain(`${new URL(plain.url).host} does not speak TLS`);
  });

  test('through a proxy: plain requests are forwarded, TLS is tunnelled', async () => {
    const seen: string[] = [];
    await using proxy = await startProxy(seen);
    await using secure = await startTls(certificates, (_, response) => response.end('tunnelled'));
    await using plain = await startHttp((_, response) => response.end('forwarded'));
    await using client = await openClient();
    const proxies = { all: proxy.url };
    expect(text(await send(client, `${plain.url}/a`, { proxies }))).toBe('forwarded');
    expect(text(await send(client, secure.url, { proxies, verify: certificates.ca }))).toBe('tunnelled');
    expect(seen).toEqual([`GET ${plain.url}/a`, `CONNECT 127.0.0.1:${secure.port}`]);
  });
});
