import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { describe, expect, test } from 'vitest';

import { digestAuthorization } from '#grammar/http/digest.ts';
import { hash } from '#runtime/adapters/http/hash.ts';

import { call, failureOf, session } from '../commands/call.ts';
import { startHttp } from '../commands/api/servers.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const field = (header: string, name: string): string | undefined =>
  new RegExp(`(?:^|[ ,])${name}="?([^",]*)`).exec(header)?.[1];

describe('the answer to a Digest challenge', () => {
  const published = {
    method: 'GET',
    target: '/dir/index.html',
    body: undefined,
    login: ['Mufasa', 'Circle of Life'],
    cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    hash,
  } as const;
  const challenge = (algorithm: string): string =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
    'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';

  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('agrees with the published one of %s', (algorithm, response) => {
    const value = digestAuthorization(challenge(algorithm), published) ?? '';
    expect(value).toMatch(/^Digest username="Mufasa", realm="http-auth@example.org", /);
    expect(field(value, 'response')).toBe(response);
    expect(field(value, 'opaque')).toBe('FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS');
  });

  test('is made for the first challenge that is known, also behind others', () => {
    const value = digestAuthorization(`Basic realm="a, b", ${challenge('NEW')}, ${challenge('SHA-256')}`, published);
    expect(field(value ?? '', 'algorithm')).toBe('SHA-256');
    for (const none of [
      '',
      'Basic realm="x"',
      challenge('NEW'),
      'Digest realm="x"',
      'Digest',
      '"',
      'Digest qop="other", realm="a", nonce="b"',
    ])
      expect(digestAuthorization(none, published)).toBeUndefined();
  });

  test('hides the name where that is asked, and writes one beyond ASCII in its own way', () => {
    const login = ['Jäsøn Doe', 'Secret, or not?'] as const;
    const given = { ...published, login, target: '/doe.json', cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm' };
    const asked =
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, charset=UTF-8, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK"';
    expect(digestAuthorization(asked, given)).toContain("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, ");
    expect(digestAuthorization(`${asked}, userhash=true`, given)).toMatch(/username="[0-9a-f]{64}".*userhash=true$/);
  });
});

/** A server that wants Digest, and says what it saw. */
function guarded(options: { readonly qop?: string; readonly staleFirst?: boolean } = {}): {
  readonly seen: string[];
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
} {
  const seen: string[] = [];
  let nonce = 1;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const given = request.headers.authorization ?? '';
      seen.push(`${request.method} ${request.url} ${given === '' ? 'without' : 'with'}`);
      const of = (name: string): string => field(given, name) ?? '';
      const asked = `${request.method}:${request.url}${of('qop') === 'auth-int' ? `:${md5(body)}` : ''}`;
      const middle = options.qop === undefined ? '' : `${of('nc')}:${of('cnonce')}:${of('qop')}:`;
      const right = md5(`${md5('ada:shop:s3cr3t-word')}:${nonce}:${middle}${md5(asked)}`);
      if (options.staleFirst && nonce === 1 && given !== '') nonce = 2;
      const isRight = of('response') === right && of('nonce') === String(nonce);
      if (isRight && request.url === '/from') return void response.writeHead(302, { location: '/to?a=1' }).end();
      if (isRight) return void response.end(body);
      const stale = nonce === 2 ? ', stale=true' : '';
      const qop = options.qop === undefined ? '' : `, qop="${options.qop}"`;
      response.writeHead(401, { 'www-authenticate': `Digest realm="shop", nonce="${nonce}"${qop}${stale}` }).end();
    });
  };
  return { seen, answer };
}

const login = { auth: ['ada', 's3cr3t-word'], auth_scheme: 'digest' };

describe('a request with a Digest login', () => {
  test.each([[{ qop: 'auth' }], [{ qop: 'auth-int' }], [{}]])('is sent again with its answer: %j', async (options) => {
    const { seen, answer } = guarded(options);
    await using server = await startHttp(answer);
    const sent = { http_method: 'post', test_url: `${server.url}/a?b=c`, data: 'hello', ...login };
    expect(await call('AT_test_api_method', sent)).toMatchObject({ status_code: 200, text: 'hello', history: [] });
    expect(seen).toEqual(['POST /a?b=c without', 'POST /a?b=c with']);
  });

  test('a nonce that grew old is renewed once; a redirect is answered anew; a wrong login keeps its 401, unseen', async () => {
    const old = guarded({ qop: 'auth', staleFirst: true });
    const plain = guarded({ qop: 'auth' });
    await using renewing = await startHttp(old.answer);
    await using server = await startHttp(plain.answer);
    await using unit = await session();
    const get = { http_method: 'get', ...login };
    await unit.call('AT_test_api_method', { ...get, test_url: renewing.url });
    expect(old.seen).toHaveLength(3);
    await unit.call('AT_test_api_method', { ...get, test_url: `${server.url}/from`, allow_redirects: true });
    expect(plain.seen).toEqual(['GET /from without', 'GET /from with', 'GET /to?a=1 without', 'GET /to?a=1 with']);
    const wrong = unit.call('AT_test_api_method_httpx', { ...get, test_url: server.url, auth: ['ada', 'wr0ng-w0rd'] });
    expect((await failureOf(wrong)).facts.code).toBe('SVC83001');
    expect(JSON.stringify([unit.records, unit.evidence])).not.toMatch(/s3cr3t-word|wr0ng-w0rd/);
  });

  test('another origin never gets it', async () => {
    const other = guarded({ qop: 'auth' });
    await using stranger = await startHttp(other.answer);
    await using server = await startHttp((_, response) => response.writeHead(307, { location: stranger.url }).end());
    const sent = { http_method: 'get', test_url: server.url, allow_redirects: true, ...login };
    expect((await failureOf(call('AT_test_api_method', sent))).facts.code).toBe('SVC83001');
    expect(other.seen).toEqual(['GET / without']);
  });
});
