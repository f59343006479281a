import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';

import { kindOfAddress } from '#runtime/adapters/outbound/address-kind.ts';
import { validate_http_url } from '#runtime/adapters/outbound/validate-http-url.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { Failure } from '#schemas/types/failure.ts';

import { openClient } from './port-context.ts';

describe('an address', () => {
  it.each([
    ['93.184.216.34', 'public'],
    ['1.1.1.1', 'public'],
    ['100.63.255.255', 'public'],
    ['100.128.0.0', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['2606:4700::1111', 'public'],
    ['127.0.0.1', 'private'],
    ['127.255.255.254', 'private'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.255.255', 'private'],
    ['100.64.0.1', 'private'],
    ['100.127.255.255', 'private'],
    ['192.0.0.8', 'private'],
    ['192.0.2.1', 'private'],
    ['192.88.99.1', 'private'],
    ['198.18.0.1', 'private'],
    ['198.19.255.255', 'private'],
    ['198.51.100.7', 'private'],
    ['203.0.113.9', 'private'],
    ['0.0.0.0', 'never'],
    ['0.1.2.3', 'never'],
    ['169.254.169.254', 'never'],
    ['224.0.0.1', 'never'],
    ['239.255.255.255', 'never'],
    ['240.0.0.1', 'never'],
    ['255.255.255.255', 'never'],
    ['100.100.100.200', 'never'],
    ['::1', 'private'],
    ['fc00::1', 'private'],
    ['fdff::1', 'private'],
    ['fec0::1', 'private'],
    ['::2', 'private'],
    ['2001:db8::1', 'private'],
    ['3fff::1', 'private'],
    ['100::1', 'private'],
    ['2001::1', 'private'],
    ['64:ff9b:1::a', 'private'],
    ['::', 'never'],
    ['fe80::1', 'never'],
    ['febf::1', 'never'],
    ['ff02::1', 'never'],
    ['fd00:ec2::254', 'never'],
    ['fe80::1%eth0', 'never'],
    ['::1%lo', 'never'],
    ['::ffff:127.0.0.1', 'private'],
    ['::ffff:7f00:1', 'private'],
    ['::ffff:169.254.169.254', 'never'],
    ['::ffff:8.8.8.8', 'public'],
    ['0:0:0:0:0:ffff:a9fe:a9fe', 'never'],
    ['64:ff9b::7f00:1', 'private'],
    ['64:ff9b::10.1.2.3', 'private'],
    ['64:ff9b::8.8.8.8', 'public'],
    ['64:ff9b::a9fe:a9fe', 'never'],
    ['2002:7f00:1::', 'private'],
    ['2002:c0a8:101::1', 'private'],
    ['2002:a9fe:a9fe::', 'never'],
    ['2002:808:808::1', 'public'],
    ['::127.0.0.1', 'private'],
    ['::ffff:0:127.0.0.1', 'private'],
    ['example.com', 'never'],
    ['127.1', 'never'],
    ['', 'never'],
  ])('%s is %s', (address, kind) => {
    expect(kindOfAddress(address).kind).toBe(kind);
  });
});

const host = memoryHost({
  names: {
    'shop.example': ['93.184.216.34', '2606:4700::1111'],
    'inside.example': ['10.0.0.7'],
    'both.example': ['93.184.216.34', '::ffff:127.0.0.1'],
    'meta.example': ['169.254.169.254'],
    'none.example': [],
  },
});
const code = async (work: Promise<unknown>): Promise<string> => {
  try {
    return String(await work);
  } catch (error) {
    if (error instanceof Failure) return `${error.facts.code} ${error.facts.name}`;
    throw error;
  }
};

describe('validate_http_url', () => {
  it('gives back the address as it was written', async () => {
    expect(await validate_http_url(host, 'HTTPS://Shop.example:8443/a?b#c')).toBe('HTTPS://Shop.example:8443/a?b#c');
    expect(await validate_http_url(host, 'http://inside.example/', { allow_private: true })).toBe(
      'http://inside.example/',
    );
  });

  it.each([
    ['http://inside.example/', 'SVC88000'],
    ['http://both.example/', 'SVC88000'],
    ['http://2130706433/', 'SVC88000'],
    ['http://0x7f.1/', 'SVC88000'],
    ['http://[::1]/', 'SVC88000'],
    ['http://127.0.0.1:8080', 'SVC88000'],
    ['http://①②⑦.0.0.1/', 'SVC88000'],
    ['http://[::ffff:10.0.0.1]/', 'SVC88000'],
    ['http://meta.example', 'SVC88001'],
    ['http://0/', 'SVC88001'],
    ['', 'SVC88002'],
    ['ftp://shop.example/', 'SVC88002'],
    ['file:///etc/passwd', 'SVC88002'],
    ['http://', 'SVC88002'],
    ['//shop.example', 'SVC88002'],
    ['http://user@shop.example/', 'SVC88002'],
    ['http://:secret@shop.example/', 'SVC88002'],
    ['http://[fe80::1%25eth0]/', 'SVC88002'],
    ['http://none.example/', 'SVC88003'],
    ['http://unknown.example/', 'SVC88003'],
  ])('refuses %s', async (url, expected) => {
    expect(await code(validate_http_url(host, url))).toBe(`${expected} UrlValidationException`);
  });

  it('lets neither link-local, metadata nor multicast addresses in with allow_private', async () => {
    for (const url of [
      'http://169.254.169.254/latest',
      'http://[fe80::1]/',
      'http://0.0.0.0/',
      'http://224.0.0.1/',
      'http://[fd00:ec2::254]/',
      'http://[::ffff:169.254.169.254]/',
    ]) {
      expect(await code(validate_http_url(host, url, { allow_private: true })), url).toBe(
        'SVC88001 UrlValidationException',
      );
    }
  });

  it('asks the system of this machine', async () => {
    expect(await code(validate_http_url(nodeHost(), 'http://localhost/'))).toBe('SVC88000 UrlValidationException');
  });

  it('shows no password', async () => {
    await expect(validate_http_url(host, 'http://me:hush@shop.example/')).rejects.toThrow(
      /^"http:\/\/shop\.example\/" is not/,
    );
  });
});

const servers: Server[] = [];
afterEach(() =>
  Promise.all(
    servers.splice(0).map((server) => new Promise((done) => (server.closeAllConnections(), server.close(done)))),
  ),
);

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as AddressInfo).port;
}

describe('checked requests', () => {
  const get = (
    url: string,
  ): {
    method: string;
    url: URL;
    headers: Record<string, string>;
    timeout_ms: number;
    signal: AbortSignal;
    checked: boolean;
    follow: boolean;
  } => ({
    method: 'GET',
    url: new URL(url),
    headers: {},
    timeout_ms: 5000,
    signal: new AbortController().signal,
    checked: true,
    follow: true,
  });

  it('go to the address that was checked and keep the name', async () => {
    let asked = '';
    const port = await serve((request, response) => {
      asked = request.headers.host ?? '';
      response.end('here');
    });
    await using client = await openClient({
      lookup: async () => ['127.0.0.1'],
      private: true,
      env: { http_proxy: 'http://127.0.0.1:9' },
    });
    const { body } = await client.http.send(get(`http://shop.example:${port}/`));
    expect(Buffer.from(body).toString()).toBe('here');
    expect(asked).toBe(`shop.example:${port}`);
  });

  it('look a name up once a request, so that its owner cannot answer differently the second time', async () => {
    let hits = 0;
    const port = await serve((_request, response) => void (hits++, response.end('secret')));
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    let asked = 0;
    await using client = await openClient({ lookup: async () => answers[asked++] ?? ['127.0.0.1'], private: false });
    // The first answer is public, so the connection is tried there, and only there.
    const work = client.http.send({ ...get(`http://rebinding.example:${port}/`), timeout_ms: 300 });
    expect(await code(work)).toMatch(/^SVC83/);
    expect([hits, asked]).toEqual([0, 1]);
    expect(await code(client.http.send(get(`http://rebinding.example:${port}/`)))).toBe(
      'SVC88000 UrlValidationException',
    );
    expect(hits).toBe(0);
  });

  it('are checked again at each redirect', async () => {
    let secret = 0;
    const inner = await serve((_request, response) => void (secret++, response.end()));
    const outer = await serve((request, response) =>
      response
        .writeHead(302, {
          location:
            request.url === '/name' ? `http://inside.example:${inner}/` : 'http://169.254.169.254/latest/meta-data',
        })
        .end(),
    );
    // "shop.example" plays a public host: private networks are let in for it alone.
    await using client = await openClient({
      lookup: async (name) => (name === 'shop.example' ? ['127.0.0.1'] : ['0.0.0.0']),
      private: true,
    });
    expect(await code(client.http.send(get(`http://shop.example:${outer}/address`)))).toBe(
      'SVC88001 UrlValidationException',
    );
    expect(await code(client.http.send(get(`http://shop.example:${outer}/name`)))).toBe(
      'SVC88001 UrlValidationException',
    );
    expect(secret).toBe(0);
  });

  it('wait for a lookup no longer than they may', async () => {
    await using client = await openClient({ lookup: () => new Promise(() => undefined), private: true });
    expect(await code(client.http.send({ ...get('http://slow.example/'), timeout_ms: 50 }))).toMatch(/^SVC83005/);
  });
});
