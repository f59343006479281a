import { describe, expect, it } from 'vitest';

import type { Base } from '#runtime/kernel/ports.ts';
import { secretsIn, shownHeaders } from '#stdlib/http/headers.ts';
import { prepareRequest, type RequestParams } from '#stdlib/http/prepare.ts';

import { failureOf, session } from '../call.ts';

const masked: string[] = [];
const ctx = {
  signal: new AbortController().signal,
  step: {},
  mask: (secret: string) => void masked.push(secret),
} as unknown as Base;
const prepared = (params: Partial<RequestParams>) =>
  prepareRequest(
    { method: 'get', address: 'https://a.example/', timeout: 3, verify: true, headers: null, ...params },
    ctx,
  );

describe('a request', () => {
  it.each([
    ['/a/both.pem', '/a/both.pem'],
    [
      ['/a/cert.pem', '/a/key.pem'],
      ['/a/cert.pem', '/a/key.pem'],
    ],
  ])('takes the certificate %j as one file or as two', (cert, expected) => {
    expect(prepared({ cert })).toMatchObject({ cert: expected });
  });

  it('has what was given and nothing else', () => {
    const { url, headers, timeout_ms, follow, session: isSession } = prepared({ headers: { 'X-A': 'b' } });
    expect([url.href, timeout_ms, follow, isSession]).toEqual(['https://a.example/', 3000, false, false]);
    expect(headers).toMatchObject({ 'user-agent': 'svc', 'x-a': 'b' });
    expect(prepared({})).not.toHaveProperty('cert');
  });

  it('says its login in a header, or keeps it for the challenge', () => {
    const auth = ['ann', 'pass-word'];
    expect(prepared({ auth }).headers).toMatchObject({
      authorization: `Basic ${Buffer.from('ann:pass-word').toString('base64')}`,
    });
    const digest = prepared({ auth, auth_scheme: 'digest' });
    expect([digest.headers?.['authorization'], digest.digest]).toEqual([undefined, auth]);
  });
});

it('secrets in headers are those of logins; cookies are masked one by one', () => {
  const headers = { authorization: 'Bearer abcdefgh', cookie: 'sid=ijklmnop', 'x-api-key': 'key-key', accept: '*/*' };
  expect(secretsIn(headers)).toEqual(['abcdefgh', 'key-key']);
  expect(secretsIn({ authorization: 'Basic abc' })).toEqual([]);
  expect(shownHeaders(headers)).toEqual({ authorization: '***', cookie: '***', 'x-api-key': '***', accept: '*/*' });
});

it.each([
  [{ method: 'GET', url: '/a' }, 'GET /a'],
  [{ request_method: 'PUT', request_url: '/b' }, 'PUT /b'],
  [{ url: '/c' }, '/c'],
])('the slowest of a level of service is told by what it was: %j', async (record, name) => {
  await using unit = await session();
  const records = [{ ...record, elapsed_ms: 2000 }];
  const failure = await failureOf(unit.call('AT_assert_sla', { records, sla: { max_ms: 1 } }));
  expect(failure.options.actual).toMatchObject({ slowest: name });
});
