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

describe('AT_basic_auth_header', () => {
  test('encodes UTF-8', async () => {
    expect(await call('AT_basic_auth_header', { username: 'bjørn', password: 'pä:ss' })).toEqual({
      Authorization: `Basic ${Buffer.from('bjørn:pä:ss').toString('base64')}`,
    });
  });
});
