import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it } from 'vitest';

import { failureOf, session } from '../call.ts';

describe('WR_audit_security_headers', () => {
  const audit = async (headers: object, required?: unknown): Promise<unknown> => {
    await using unit = await session();
    return unit.call('WR_audit_security_headers', { headers, ...(required !== undefined && { required }) });
  };
  const good = {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'Content-Security-Policy': "default-src 'self'",
    'X-FRAME-OPTIONS': ' SameOrigin ',
    'x-content-type-options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'geolocation=()',
  };
  const hsts = [{ name: 'Strict-Transport-Security', rule: 'presence_and_max_age' }];

  it('finds nothing where all rules hold, and everything where no header is there', async () => {
    expect(await audit(good)).toEqual([]);
    expect(await audit({})).toMatchObject(Array.from({ length: 6 }, () => ({ problem: 'missing', value: null })));
    expect(await audit({}, [])).toEqual([]);
  });

  it.each([
    ['policy', "default-src *; object-src 'none'; base-uri 'none'", 'lets scripts of every site in'],
    ['policy', "img-src 'self'; base-uri 'none'", 'lets scripts of every site in'],
    [
      'policy',
      "default-src 'self'; script-src 'self' 'unsafe-inline'; base-uri 'none'",
      'lets scripts in the page run',
    ],
    ['policy', "script-src 'self'; base-uri 'none'", 'lets objects of every site in'],
    ['policy', "default-src 'self'", 'has no base-uri'],
    [
      'policy',
      "script-src 'nonce-a' 'strict-dynamic' https: 'unsafe-inline'; object-src 'none'; base-uri 'none'",
      undefined,
    ],
    ['policy', "frame-ancestors 'none', default-src 'self'; base-uri 'self'", undefined],
    ['referrer_policy', 'unsafe-url', 'unexpected value'],
    ['referrer_policy', 'no-referrer, strict-origin', undefined],
    ['no_star', '*', 'lets every site in'],
    ['no_star', 'https://a.example', undefined],
    ['absent', 'nginx', 'present'],
  ])('judges by the rule %s: %s', async (rule, value, problem) => {
    const expected = problem === undefined ? [] : [{ header: 'X', rule, problem, value }];
    expect(await audit({ x: value }, [{ name: 'X', rule }])).toEqual(expected);
    if (rule === 'absent' || rule === 'no_star') expect(await audit({}, [{ name: 'X', rule }])).toEqual([]);
  });

  it.each([
    ['includeSubDomains', 'no max-age directive'],
    ['max-age=0', 'max-age is below 15768000 seconds'],
    ['max-age="15767999"', 'max-age is below 15768000 seconds'],
    ['max-age = 15768000', undefined],
    ['x-max-age=99999999', 'no max-age directive'],
  ])('judges %s', async (value, problem) => {
    const header = 'Strict-Transport-Security';
    const expected = problem === undefined ? [] : [{ header, rule: 'presence_and_max_age', problem, value }];
    expect(await audit({ [header]: value }, hsts)).toEqual(expected);
  });

  it('lets frame-ancestors stand in for the older header, and no other directive', async () => {
    const rules = [{ name: 'X-Frame-Options', rule: 'deny_or_sameorigin' }];
    expect(await audit({ 'content-security-policy': "default-src *; frame-ancestors 'none'" }, rules)).toEqual([]);
    expect(await audit({ 'content-security-policy': 'x-frame-ancestors a' }, rules)).toHaveLength(1);
    // Two headers are one with a comma; no source is the same as none; the first of a policy counts.
    for (const policy of [
      "default-src 'self', frame-ancestors 'self'",
      'frame-ancestors',
      'frame-ancestors a;frame-ancestors *',
    ])
      expect(await audit({ 'content-security-policy': policy }, rules), policy).toEqual([]);
    for (const policy of ['frame-ancestors *', "frame-ancestors 'self' https:", 'FRAME-ANCESTORS\tHTTP:;'])
      expect(await audit({ 'content-security-policy': policy }, rules), policy).toHaveLength(1);
    expect(
      await audit({ 'content-security-policy': "frame-ancestors 'none'", 'x-frame-options': 'yes' }, rules),
    ).toHaveLength(1);
  });
});

describe('WR_audit_security_headers_url', () => {
  it('follows redirects and judges the last answer; error pages and logins in addresses fail', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/from') return response.writeHead(302, { location: '/to' }).end();
      return response.writeHead(request.url === '/to' ? 200 : 404, { 'x-content-type-options': 'nosniff' }).end('page');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      await using unit = await session();
      const audit = (path: string): Promise<unknown> =>
        unit.call('WR_audit_security_headers_url', {
          url: `http://127.0.0.1:${port}${path}`,
          required: [{ name: 'X-Content-Type-Options', rule: 'nosniff' }],
        });
      expect(await audit('/from')).toEqual([
        { header: '', rule: 'https', problem: 'plain http does not lead to https', value: null },
      ]);
      expect((await failureOf(audit('/none'))).facts).toMatchObject({ name: 'SecurityHeadersError', code: 'SVC82021' });
      const login = unit.call('WR_audit_security_headers_url', { url: `http://ann:pw@127.0.0.1:${port}/to` });
      expect((await failureOf(login)).facts.code).toBe('SVC82022');
    } finally {
      server.close();
    }
  });
});

describe('WR_diff_har', () => {
  const entry = (method: string, url: string, status?: unknown): object => ({
    request: { method, url },
    response: { status },
  });
  const diff = async (left: unknown, right: unknown): Promise<unknown> => {
    await using unit = await session();
    return unit.call('WR_diff_har', { left, right });
  };
  const har = (...entries: unknown[]): object => ({ log: { entries } });

  it('pairs repeated requests in their order', async () => {
    const left = har(entry('get', '/a', 200), entry('GET', '/a', 200), entry('POST', '/a', 201), {}, null);
    const right = har(
      entry('GET', '/a', 200),
      entry('GET', '/a', 500),
      entry('GET', '/a', '200'),
      entry('GET', '/b', 200),
    );
    expect(await diff(left, JSON.stringify(right))).toEqual({
      added: [
        { method: 'GET', url: '/a', status: 0 },
        { method: 'GET', url: '/b', status: 200 },
      ],
      removed: [{ method: 'POST', url: '/a', status: 201 }],
      changed: [{ method: 'GET', url: '/a', left_status: 200, right_status: 500 }],
    });
  });

  it.each([['{'], [{}], [{ log: [] }], [{ log: { entries: {} } }], ['[]']])('refuses %j', async (archive) => {
    expect((await failureOf(diff(har(), archive))).facts.code).toBe('SVC82023');
  });
});
