import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { compactVerify } from 'jose';
import { describe, expect, test } from 'vitest';

import { call, failureOf, session } from '../call.ts';

/** Published vectors of signature version 4: method, address, headers, body, signature. */
const vectors: readonly (readonly [string, string, string, Record<string, string>, string, string])[] = [
  ['vanilla', 'GET', '/', {}, '', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'sorted query',
    'GET',
    '/?Param2=value2&Param1=value1',
    {},
    '',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  ['query', 'GET', '/?Param1=value1', {}, '', 'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb'],
  ['post', 'POST', '/', {}, '', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ['not ASCII', 'GET', '/ሴ', {}, '', '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85'],
  [
    'unreserved',
    'GET',
    '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    {},
    '',
    '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  ],
  [
    'blanks in headers',
    'GET',
    '/',
    { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' },
    '',
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
  [
    'form',
    'POST',
    '/',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    'Param1=value1',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
  ['parent folder', 'GET', '/example/..', {}, '', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['dot and slash', 'GET', '/./', {}, '', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['two slashes', 'GET', '//', {}, '', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['slashes around', 'GET', '//example//', {}, '', '9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84'],
  [
    'dot before a name',
    'GET',
    '/./example',
    {},
    '',
    'ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5',
  ],
  ['a blank', 'GET', '/example space/', {}, '', '652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741'],
  [
    'sorted headers',
    'POST',
    '/',
    { 'My-Header1': 'value1' },
    '',
    'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  ],
  [
    'values in capitals',
    'POST',
    '/',
    { 'My-Header1': 'VALUE1' },
    '',
    'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  ],
  [
    'a header twice',
    'GET',
    '/',
    { 'My-Header1': 'value2,value2,value1' },
    '',
    'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  ],
  [
    'a header twice, in other capitals',
    'GET',
    '/',
    { 'My-Header1': 'value2', 'my-header1': ' value2', 'MY-HEADER1': 'value1' },
    '',
    'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  ],
  [
    'values in their order',
    'GET',
    '/',
    { 'My-Header1': 'value4,value1,value3,value2' },
    '',
    '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
  ],
  [
    'form with a charset',
    'POST',
    '/',
    { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf8' },
    'Param1=value1',
    '1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe',
  ],
  ['query not ASCII', 'GET', '/?ሴ=bar', {}, '', '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04'],
  [
    'post with a query',
    'POST',
    '/?Param1=value1',
    {},
    '',
    '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  ],
  [
    'a name of a query twice',
    'GET',
    '/?Param1=value2&Param1=Value1',
    {},
    '',
    'eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1',
  ],
  [
    'sorted values of a query',
    'GET',
    '/?Param1=value2&Param1=value1',
    {},
    '',
    '5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694',
  ],
  [
    'folders of folders',
    'GET',
    '/example1/example2/../..',
    {},
    '',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'a folded header',
    'GET',
    '/',
    { 'My-Header1': 'value1\n  value2\n     value3' },
    '',
    'cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd',
  ],
  [
    'unreserved in a query',
    'GET',
    '/?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    {},
    '',
    '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
  ],
];
const given = {
  region: 'us-east-1',
  service: 'service',
  access_key: 'AKIDEXAMPLE',
  secret_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  at: '2015-08-30T12:36:00Z',
};

describe('AT_sigv4_headers', () => {
  test.each(vectors)('agrees with the published vector: %s', async (_, method, path, headers, body, signature) => {
    const signed = await call('AT_sigv4_headers', {
      ...given,
      method,
      url: `https://example.amazonaws.com${path}`,
      extra_headers: headers,
      body: Buffer.from(body).toString('base64'),
    });
    expect(signed).toMatchObject({ ...headers, 'X-Amz-Date': '20150830T123600Z' });
    expect((signed as Record<string, string>)['Authorization']).toMatch(new RegExp(`Signature=${signature}$`));
  });

  test('agrees with the documented requests of the object store', async () => {
    const signed = (await call('AT_sigv4_headers', {
      method: 'GET',
      url: 'https://examplebucket.s3.amazonaws.com/test.txt',
      region: 'us-east-1',
      service: 's3',
      access_key: 'AKIAIOSFODNN7EXAMPLE',
      secret_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      extra_headers: { Range: 'bytes=0-9' },
      at: '2013-05-24T00:00:00Z',
    })) as Record<string, string>;
    expect(signed['Authorization']).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  test.each(['s3express', 's3-object-lambda', 's3-outposts'])(
    'signs for %s as for the object store',
    async (service) => {
      const sign = async (path: string): Promise<Record<string, string>> => {
        const url = `https://h.test${path}`;
        return (await call('AT_sigv4_headers', { ...given, service, method: 'GET', url })) as Record<string, string>;
      };
      const signed = await sign('/a%20b//c');
      expect(signed['X-Amz-Content-Sha256']).toMatch(/^e3b0c442/);
      // Encoded once, and with all its slashes.
      expect((await sign('/a b//c'))['Authorization']).toBe(signed['Authorization']);
      expect((await sign('/a%20b/c'))['Authorization']).not.toBe(signed['Authorization']);
    },
  );

  test('signs the hash that a header says in place of that of the body', async () => {
    const sign = async (body: string, hash: string): Promise<string> => {
      const request = {
        ...given,
        service: 's3',
        method: 'PUT',
        url: 'https://h.test/k',
        body: Buffer.from(body).toString('base64'),
      };
      const signed = await call('AT_sigv4_headers', { ...request, extra_headers: { 'x-amz-content-sha256': hash } });
      expect(signed).toMatchObject({ 'x-amz-content-sha256': hash });
      return (signed as Record<string, string>)['Authorization'] ?? '';
    };
    const unsigned = await sign('one', 'UNSIGNED-PAYLOAD');
    expect(await sign('two', 'UNSIGNED-PAYLOAD')).toBe(unsigned);
    expect(await sign('one', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD')).not.toBe(unsigned);
  });

  test('agrees with the published vector of a token of temporary credentials', async () => {
    const signed = (await call('AT_sigv4_headers', {
      ...given,
      method: 'POST',
      url: 'https://example.amazonaws.com/',
      session_token:
        'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==',
    })) as Record<string, string>;
    expect(signed['Authorization']).toContain(
      'Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
    );
  });

  test('signs the token of temporary credentials, and now when no time is given', async () => {
    const signed = (await call('AT_sigv4_headers', {
      ...given,
      at: null,
      method: 'get',
      url: 'http://example.com:80/a%20b?x=%2F&x=1',
      session_token: 'temporary',
    })) as Record<string, string>;
    expect(signed['X-Amz-Security-Token']).toBe('temporary');
    expect(signed['Authorization']).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token');
    const said = signed['X-Amz-Date']?.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z') ?? '';
    expect(Math.abs(Date.parse(said) - Date.now())).toBeLessThan(60_000);
  });
});

describe('AT_build_jwt', () => {
  const claims = { sub: 'ada', admin: true, nested: { list: [1, 2.5, null] } };
  const pem = (key: KeyObject): string => String(key.export({ type: 'pkcs8', format: 'pem' }));

  test.each([
    ['HS256', () => ({ secret: 'x'.repeat(64), verify: Buffer.from('x'.repeat(64)) })],
    ['HS512', () => ({ secret: 'x'.repeat(64), verify: Buffer.from('x'.repeat(64)) })],
    ['RS256', () => pair(generateKeyPairSync('rsa', { modulusLength: 2048 }))],
    ['PS384', () => pair(generateKeyPairSync('rsa', { modulusLength: 2048 }))],
    ['ES256', () => pair(generateKeyPairSync('ec', { namedCurve: 'P-256' }))],
    ['ES384', () => pair(generateKeyPairSync('ec', { namedCurve: 'P-384' }))],
    ['ES512', () => pair(generateKeyPairSync('ec', { namedCurve: 'P-521' }))],
    ['EdDSA', () => pair(generateKeyPairSync('ed25519'))],
  ] as const)('signs with %s what others verify', async (algorithm, make) => {
    const { secret, verify } = make();
    const token = (await call('AT_build_jwt', { payload: claims, secret, algorithm })) as string;
    const { payload, protectedHeader } = await compactVerify(token, verify);
    expect(protectedHeader).toEqual({ alg: algorithm, typ: 'JWT' });
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(claims);
  });

  test('takes a JWK and older forms of PEM', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (const secret of [
      JSON.stringify(privateKey.export({ format: 'jwk' })),
      String(privateKey.export({ type: 'sec1', format: 'pem' })),
    ]) {
      const token = (await call('AT_build_jwt', { payload: claims, secret, algorithm: 'ES256' })) as string;
      await expect(compactVerify(token, publicKey)).resolves.toBeDefined();
    }
  });

  test('refuses a key that does not fit, without showing it', async () => {
    const small = pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey);
    const other = pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey);
    for (const [algorithm, secret] of [
      ['RS256', small],
      ['ES256', other],
      ['PS256', 'nonsense-secret'],
      ['RS256', '{"kty": '],
    ] as const) {
      const error = await failureOf(call('AT_build_jwt', { payload: claims, secret, algorithm }));
      expect(error.facts).toMatchObject({ code: 'SVC83132', name: 'APITesterException' });
      expect(error.message).not.toContain(secret.slice(30, 60) || 'nonsense');
    }
  });

  test('warns about a short secret, and masks the token', async () => {
    await using unit = await session();
    const token = (await unit.call('AT_build_jwt', { payload: claims, secret: 'too short' })) as string;
    expect(unit.events.filter(({ kind }) => kind === 'notice')).toMatchObject([
      { level: 'warning', text: expect.stringContaining('9 bytes') as string },
    ]);
    expect(JSON.stringify(unit.records)).not.toContain(token);
  });

  function pair(keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }): {
    secret: string;
    verify: KeyObject;
  } {
    return { secret: pem(keys.privateKey), verify: keys.publicKey };
  }
});

describe('AT_sigv4_headers', () => {
  test('keeps both keys and the session token out of records', async () => {
    await using unit = await session();
    const keys = { access_key: 'AKIDEXAMPLE123', secret_key: 'wJalrXUtnFEMI', session_token: 'session-1234' };
    const to = { method: 'get', url: 'https://a.example/', region: 'eu-north-1', service: 'goods' };
    const headers = await unit.call('AT_sigv4_headers', { ...to, ...keys });
    expect(headers).toMatchObject({ Authorization: expect.stringContaining(keys.access_key) as string });
    for (const key of Object.values(keys)) expect(JSON.stringify(unit.records)).not.toContain(key);
  });
});

describe('AT_basic_auth_header', () => {
  test('encodes UTF-8', async () => {
    expect(await call('AT_basic_auth_header', { username: 'bjørn', password: 'pä:ss' })).toEqual({
      Authorization: `Basic ${Buffer.from('bjørn:pä:ss').toString('base64')}`,
    });
  });
});
