import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { provider as cookies } from '#runtime/adapters/cookies/provider.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';

import { root } from '../built.ts';
import { startHttp, startProxy, startRaw, startSocks, startText } from '../commands/api/servers.ts';
import { failure, send, text } from './http-sending.ts';
import { openClient } from './port-context.ts';

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

describe('a request and its answer', () => {
  test('method, path, headers and body arrive; the answer comes back whole', async () => {
    await using server = await startHttp((request, response) => {
      void bodyOf(request).then((body) => {
        response.writeHead(201, 'Made', { 'x-one': 'a', 'set-cookie': ['sid=1; HttpOnly; Path=/', 'theme=dark'] });
        response.end(
          JSON.stringify({ method: request.method, url: request.url, type: request.headers['content-type'], body }),
        );
      });
    });
    await using client = await openClient();
    const answer = await send(client, `${server.url}/jobs?a=1`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'grüße',
    });
    expect(JSON.parse(text(answer))).toEqual({ method: 'POST', url: '/jobs?a=1', type: 'text/plain', body: 'grüße' });
    expect(answer).toMatchObject({ status: 201, reason: 'Made', headers: { 'x-one': 'a' }, history: [] });
    expect(answer.set_cookies).toEqual([
      { name: 'sid', value: '1', http_only: true, line: 'sid=1; HttpOnly; Path=/' },
      { name: 'theme', value: 'dark', http_only: false, line: 'theme=dark' },
    ]);
    expect(answer.elapsed_ms).toBeGreaterThan(0);
    expect(answer.timings.connect).toBeTypeOf('number');
  });

  test('connections are used again, also by parallel requests, and end with the unit', async () => {
    const sockets = new Set<unknown>();
    await using server = await startHttp((request, response) => {
      sockets.add(request.socket);
      response.end(request.url);
    });
    {
      await using client = await openClient();
      for (let index = 0; index < 20; index++)
        expect(text(await send(client, `${server.url}/${index}`))).toBe(`/${index}`);
      expect(sockets.size).toBe(1);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => send(client, `${server.url}/p${index}`)),
      );
      expect(answers.map(text)).toEqual(Array.from({ length: 20 }, (_, index) => `/p${index}`));
    }
    await expect
      .poll(() => [...sockets].filter((socket) => !(socket as { destroyed: boolean }).destroyed))
      .toHaveLength(0);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ] as const)('a body packed as %s is unpacked', async (encoding, pack) => {
    await using server = await startHttp((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(pack('hello '.repeat(1000))),
    );
    await using client = await openClient();
    expect(text(await send(client, server.url))).toBe('hello '.repeat(1000));
  });

  test('a body of several frames of zstd is unpacked whole, and one that is cut or goes on with something else is a failure', async () => {
    const skipped = Buffer.from('502a4d1803000000616263', 'hex');
    const frames = [zstdCompressSync('one '.repeat(1000)), zstdCompressSync(''), skipped, zstdCompressSync('two')];
    const bodies: Readonly<Record<string, Buffer>> = {
      '/whole': Buffer.concat(frames),
      '/cut': Buffer.concat(frames).subarray(0, -2),
      '/more': Buffer.concat([...frames, Buffer.from('else')]),
    };
    await using server = await startHttp((request, response) =>
      response.writeHead(200, { 'content-encoding': 'zstd' }).end(bodies[request.url ?? '']),
    );
    await using client = await openClient();
    expect(text(await send(client, `${server.url}/whole`))).toBe(`${'one '.repeat(1000)}two`);
    for (const path of ['/cut', '/more'])
      expect((await failure(send(client, server.url + path))).facts.code).toBe('SVC83018');
  });

  test('two codings are undone last first; one that is not held is named', async () => {
    await using server = await startHttp((request, response) => {
      if (request.url === '/two')
        response.writeHead(200, { 'content-encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync('twice')));
      else response.writeHead(200, { 'content-encoding': request.url === '/odd' ? 'odd' : 'gzip' }).end('not packed');
    });
    await using client = await openClient();
    expect(text(await send(client, `${server.url}/two`))).toBe('twice');
    expect((await failure(send(client, `${server.url}/lie`))).facts.code).toBe('SVC83018');
    expect((await failure(send(client, `${server.url}/odd`))).message).toMatch(
      /unpacked as "odd" \(no such coding is known\)/,
    );
  });

  test('HEAD and 204 have no body; a binary body is kept byte by byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
    await using server = await startHttp((request, response) => {
      if (request.url === '/none') response.writeHead(204).end();
      else response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    });
    await using client = await openClient();
    expect((await send(client, server.url, { method: 'HEAD' })).body).toHaveLength(0);
    expect((await send(client, `${server.url}/none`)).status).toBe(204);
    const digest = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');
    expect(digest((await send(client, server.url)).body)).toBe(digest(bytes));
  });
});

describe('limits', () => {
  test('the time limit holds while connecting, waiting and reading, and for a chain of redirects', async () => {
    await using silent = await startRaw(() => {});
    await using dripping = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    await using circle = await startHttp((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 60);
    });
    await using client = await openClient();
    for (const [url, stage] of [
      [silent.url, 'answer'],
      [dripping.url, 'body'],
    ] as const) {
      const error = await failure(send(client, url, { timeout_ms: 150 }));
      expect(error.facts).toMatchObject({ code: 'SVC83005', class: 'transient', kinds: ['timeout', 'network'] });
      expect(error.message).toBe(`GET ${url}/ had no complete answer within 0.15 s; the time ran out at "${stage}".`);
    }
    expect((await failure(send(client, circle.url, { timeout_ms: 200, follow: true }))).facts.code).toBe('SVC83005');
    // A TLS handshake that is never answered is still "connect".
    const error = await failure(send(client, silent.url.replace('http', 'https'), { timeout_ms: 150 }));
    expect(error.message).toContain('at "connect"');
  });

  test('a stopped step stops at once, with the reason of the stop, and leaves no connection behind', async () => {
    let closed = false;
    await using silent = await startRaw((socket) => {
      socket.resume().on('close', () => {
        closed = true;
      });
    });
    await using client = await openClient();
    const controller = new AbortController();
    const reason = new Error('the run was stopped');
    setTimeout(() => controller.abort(reason), 50);
    await expect(send(client, silent.url, { signal: controller.signal })).rejects.toBe(reason);
    await expect.poll(() => closed).toBe(true);
    await expect(send(client, silent.url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('a body above the limit is refused: announced, sent without length, or packed', async () => {
    await using server = await startHttp((request, response) => {
      if (request.url === '/bomb')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)));
      else if (request.url === '/chunked') response.end(Buffer.alloc(2_000_000));
      else response.writeHead(200, { 'content-length': 2_000_000 }).end(Buffer.alloc(2_000_000));
    });
    await using client = await openClient({ limits: { http_body_bytes: 1_000_000 } });
    for (const path of ['/', '/chunked', '/bomb']) {
      const error = await failure(send(client, server.url + path));
      expect(error.message).toBe(`GET ${server.url}${path}: the body of the answer is larger than 1000000 bytes.`);
    }
    await expect(send(client, `${server.url}/`, { method: 'HEAD' })).resolves.toMatchObject({ status: 200 });
  });
});

describe('redirects', () => {
  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
    [307, 'POST', 'POST', 'data'],
    [308, 'PUT', 'PUT', 'data'],
    [301, 'PUT', 'PUT', 'data'],
  ])('%i after %s goes on with %s', async (status, method, next, body) => {
    const seen: string[] = [];
    await using server = await startHttp((request, response) => {
      void bodyOf(request).then((sent) => {
        seen.push(`${request.method} ${request.url} ${request.headers['content-type'] ?? '-'} ${sent}`);
        if (request.url === '/from') response.writeHead(status, { location: '/to' }).end();
        else response.end('there');
      });
    });
    await using client = await openClient();
    const answer = await send(client, `${server.url}/from`, {
      method,
      follow: true,
      ...(method === 'HEAD' ? {} : { headers: { 'content-type': 'text/plain' }, body: 'data' }),
    });
    expect(seen[1]).toBe(`${next} /to ${body === '' ? '-' : 'text/plain'} ${body}`);
    expect(answer.history).toMatchObject([{ status, request: { method, url: `${server.url}/from` } }]);
    expect(answer.request).toMatchObject({ method: next, url: `${server.url}/to` });
  });

  test('login, cookies and headers that nobody knows do not follow to another origin', async () => {
    const seen: unknown[] = [];
    await using other = await startHttp((request, response) => {
      seen.push([request.headers.authorization, request.headers.cookie, request.headers['x-trace']]);
      response.end();
    });
    await using server = await startHttp((request, response) => {
      seen.push([request.headers.authorization, request.headers.cookie]);
      response.writeHead(302, { location: request.url === '/away' ? other.url : '/away' }).end();
    });
    await using client = await openClient();
    await send(client, server.url, {
      follow: true,
      headers: { authorization: 'Basic eDp5', 'x-trace': '7' },
      cookies: { a: '1' },
    });
    expect(seen).toEqual([
      ['Basic eDp5', 'a=1'],
      ['Basic eDp5', 'a=1'],
      [undefined, undefined, undefined],
    ]);
  });

  test('a cookie set on the way is sent on the way, and forgotten afterwards', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await startHttp((request, response) => {
      seen.push(request.headers.cookie);
      if (request.url === '/login') response.writeHead(302, { location: '/home', 'set-cookie': 'sid=9; Path=/' }).end();
      else response.end();
    });
    await using client = await openClient();
    await send(client, `${server.url}/login`, { follow: true });
    await send(client, `${server.url}/home`);
    expect(seen).toEqual([undefined, 'sid=9', undefined]);
  });

  test('endless redirects and other schemes are refused; without following, the redirect is the answer', async () => {
    await using server = await startHttp((request, response) => {
      response.writeHead(302, { location: request.url === '/ftp' ? 'ftp://127.0.0.1/x' : '/again' }).end();
    });
    await using client = await openClient({ limits: { http_redirects: 3 } });
    expect((await failure(send(client, server.url, { follow: true }))).message).toBe(
      `GET ${server.url}/ was redirected more than 3 times; the last target was ${server.url}/again.`,
    );
    expect((await failure(send(client, `${server.url}/ftp`, { follow: true }))).facts.code).toBe('SVC83016');
    expect(await send(client, server.url)).toMatchObject({ status: 302, headers: { location: '/again' } });
  });
});

describe('sessions', () => {
  test('a session keeps cookies between requests; requests outside of it do not see them', async () => {
    const seen: (string | undefined)[] = [];
    await using server = await startHttp((request, response) => {
      seen.push(request.headers.cookie);
      if (request.url === '/login')
        response.setHeader('set-cookie', [
          'sid=7; HttpOnly; Path=/',
          'gone=1; Max-Age=0',
          'deep=1; Path=/deep',
          'evil=1; Domain=example.com',
        ]);
      response.end();
    });
    await using client = await openClient();
    await send(client, `${server.url}/login`, { session: true });
    await send(client, `${server.url}/`, { session: true, cookies: { theme: 'dark' } });
    await send(client, `${server.url}/deep/x`, { session: true, headers: { cookie: 'own=1; sid=8' } });
    await send(client, `${server.url}/`);
    expect(seen).toEqual([undefined, 'sid=7; theme=dark', 'deep=1; own=1; sid=8', undefined]);
  });
});

/** Cookies that an answer of `/deep/from` sets, and the header of a later request to a path of the same server. */
test.each([
  [
    'the same name at two paths: both, the longer path first',
    ['a=1; Path=/', 'a=2; Path=/deep'],
    '/deep/x',
    'a=2; a=1',
  ],
  ['the path of the request where none is named', ['a=1'], '/deep/y', 'a=1'],
  ['that path and not what stands above it', ['a=1'], '/', undefined],
  ['a path by whole segments', ['a=1; Path=/de'], '/deep/x', undefined],
  ['a later one takes the place of the one before', ['a=1; Path=/', 'a=2; Path=/'], '/', 'a=2'],
  ['the older first among equals', ['b=1; Path=/', 'a=2; Path=/', 'b=3; Path=/'], '/', 'b=3; a=2'],
  ['an expired one takes away', ['a=1; Path=/', 'a=; Path=/; Max-Age=0'], '/', undefined],
  ['Max-Age wins over Expires', ['a=1; Path=/; Max-Age=60; Expires=Wed, 21 Oct 2015 07:28:00 GMT'], '/', 'a=1'],
  ['an old date', ['a=1; Path=/; Expires=Wed, 21 Oct 2015 07:28:00 GMT'], '/', undefined],
  ['Secure, since this machine is as safe as TLS', ['a=1; Path=/; Secure'], '/', 'a=1'],
  ['a prefix that is not kept to', ['__Secure-a=1; Path=/', '__Host-b=1; Path=/; Domain=127.0.0.1'], '/', undefined],
  ['a prefix in other letters', ['__hOsT-b=1; Path=/; Domain=127.0.0.1'], '/', undefined],
  ['another domain, and one that is no domain', ['a=1; Path=/; Domain=example.com', 'b=1; Domain=com'], '/', undefined],
  ['a value with quotes and signs, as it stands', ['a="x y=z"; Path=/'], '/', 'a="x y=z"'],
  ['an empty value', ['a=; Path=/'], '/', 'a='],
  ['SameSite=None without Secure', ['a=1; Path=/; SameSite=None'], '/', undefined],
  ['one of more than 4096 bytes', [`a=${'x'.repeat(4096)}; Path=/`], '/', undefined],
  ['SameSite is a matter of pages', ['a=1; Path=/; SameSite=Strict'], '/', 'a=1'],
])('cookies of a session: %s', async (_, lines, path, sent) => {
  const seen: (string | undefined)[] = [];
  await using server = await startHttp((request, response) => {
    seen.push(request.headers.cookie);
    if (request.url === '/deep/from') response.setHeader('set-cookie', lines);
    response.end();
  });
  await using client = await openClient();
  await send(client, `${server.url}/deep/from`, { session: true });
  await send(client, server.url + path, { session: true });
  expect(seen).toEqual([undefined, sent]);
});

test('over a plain connection a cookie that was set over TLS is neither seen nor replaced', async () => {
  const jar = (await cookies.open({} as PortContext)).open();
  jar.store('a=tls; Path=/login; Secure', 'https://shop.example/login');
  jar.store('b=plain; Secure', 'http://shop.example/');
  jar.store('a=plain; Path=/login/deep', 'http://shop.example/');
  jar.store('a=above; Path=/', 'http://shop.example/');
  expect(jar.cookiesFor('http://shop.example/login/deep')).toEqual([['a', 'above']]);
  expect(jar.cookiesFor('https://shop.example/login/deep')).toEqual([
    ['a', 'tls'],
    ['a', 'above'],
  ]);
});

describe('what prevents an answer', () => {
  const garbage = 'what is this\r\n\r\n';
  test.each([
    ['nothing listens', 'http://127.0.0.1:1/', 'SVC83006', 'environment', ['network']],
    ['unknown host', 'http://no-such-host.invalid/', 'SVC83007', 'environment', ['network']],
  ])('%s', async (_, url, code, cls, kinds) => {
    await using client = await openClient();
    const error = await failure(send(client, url));
    expect(error.facts).toMatchObject({ code, class: cls, kinds });
    expect(error.message).toContain(`GET ${url}`);
  });

  test.each([
    ['no HTTP', garbage, 'SVC83012', 'real'],
    ['cut off before the body ended', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort', 'SVC83008', 'transient'],
    ['closed without an answer', '', 'SVC83008', 'transient'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, 'SVC83012', 'real'],
  ])('%s', async (_, answer, code, cls) => {
    await using server = await startText(answer);
    await using client = await openClient();
    const error = await failure(send(client, server.url));
    expect(error.facts).toMatchObject({ code, class: cls, kinds: ['network'] });
  });

  test('a kept connection that the server closed is replaced, for requests that may be repeated', async () => {
    let answered = 0;
    await using server = await startRaw((socket) => {
      socket.on('data', () => {
        if (answered++ % 2 === 0) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else socket.destroy();
      });
    });
    await using client = await openClient();
    expect((await send(client, server.url)).status).toBe(200);
    expect((await send(client, server.url)).status).toBe(200);
    expect((await failure(send(client, server.url, { method: 'POST', body: 'x' }))).facts.code).toBe('SVC83008');
  });

  test('headers that the client sets itself are refused', async () => {
    await using server = await startHttp((_, response) => response.end());
    await using client = await openClient();
    expect((await failure(send(client, server.url, { headers: { 'transfer-encoding': 'chunked' } }))).facts.code).toBe(
      'SVC83020',
    );
  });
});

describe('proxies', () => {
  test('the most exact key wins; a login is sent and masked; a refused one is named', async () => {
    const seen: string[] = [];
    await using proxy = await startProxy(seen, `Basic ${Buffer.from('me:s3cret').toString('base64')}`);
    await using server = await startHttp((_, response) => response.end('ok'));
    await using client = await openClient();
    const login = proxy.url.replace('//', '//me:s3cret@');
    expect(
      text(await send(client, server.url, { proxies: { all: 'http://127.0.0.1:1', 'http://127.0.0.1': login } })),
    ).toBe('ok');
    expect(client.masked).toContain('s3cret');
    const error = await failure(send(client, server.url, { proxies: { http: proxy.url } }));
    expect(error.facts.code).toBe('SVC83014');
    expect(
      (await failure(send(client, server.url, { proxies: { http: 'http://me:s3cret@127.0.0.1:1' } }))).message,
    ).not.toContain('s3cret');
    expect((await failure(send(client, server.url, { proxies: { http: 'not an address' } }))).facts.code).toBe(
      'SVC83022',
    );
  });

  test('SOCKS 5', async () => {
    const seen: string[] = [];
    await using proxy = await startSocks(seen);
    await using server = await startHttp((_, response) => response.end('through socks'));
    await using client = await openClient();
    expect(text(await send(client, server.url, { proxies: { http: proxy.url.replace('http', 'socks5') } }))).toBe(
      'through socks',
    );
    expect(seen).toEqual([`127.0.0.1:${server.port}`]);
  });

  test('SOCKS 5 without a warning about the agent inside', () => {
    const script = `
      const { openProxyPool } = await import('./runtime/adapters/http/proxy-pool.ts');
      process.on('warning', ({ message }) => message.includes('SOCKS') && console.log(message));
      await openProxyPool({ identity: {}, http2: false }, new URL('socks5://127.0.0.1:1')).close();
      await new Promise(setImmediate);
      console.log('opened');`;
    const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
    expect(execFileSync(process.execPath, flags, { cwd: root, encoding: 'utf8' })).toBe('opened\n');
  });

  test('SOCKS 5 with a login, by the name that other clients give it; a wrong login is a matter of the proxy', async () => {
    const seen: string[] = [];
    await using proxy = await startSocks(seen, 'me:s3 cret');
    await using server = await startHttp((_, response) => response.end('through socks'));
    await using client = await openClient();
    const through = (login: string): { proxies: { all: string } } => ({
      proxies: { all: proxy.url.replace('http://', `socks5h://${login}@`) },
    });
    const url = server.url.replace('127.0.0.1', 'localhost');
    expect(text(await send(client, url, through('me:s3%20cret')))).toBe('through socks');
    expect(seen).toEqual([`localhost:${server.port}`]);
    expect(client.masked).toContain('s3 cret');
    const error = await failure(send(client, url, through('me:wrong')));
    expect(error.facts.code).toBe('SVC83014');
    expect(error.message).not.toContain('wrong');
  });

  test('those of the environment are used, except for this machine and NO_PROXY', async () => {
    const seen: string[] = [];
    await using proxy = await startProxy(seen);
    await using server = await startHttp((_, response) => response.end('direct'));
    await using client = await openClient({ env: { HTTP_PROXY: proxy.url, NO_PROXY: '.internal.invalid' } });
    expect(text(await send(client, server.url))).toBe('direct');
    await failure(send(client, 'http://api.internal.invalid/'));
    expect(seen).toEqual([]);
    expect((await send(client, 'http://elsewhere.invalid/')).status).toBe(502);
    expect(seen).toEqual(['GET http://elsewhere.invalid/']);
    await failure(send(client, 'http://elsewhere.invalid/', { proxies: {} }));
    expect(seen).toHaveLength(1);
  });
});
