import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readAudit } from '#stdlib/api/checks/security/advisories.ts';
import { judgePreflight } from '#stdlib/api/checks/security/judge-preflight.ts';
import { scanHeaders } from '#stdlib/api/checks/security/scan-headers.ts';
import { compareVersions } from '#stdlib/api/checks/security/version-order.ts';

import { call, failureOf, session } from '../call.ts';
import { startHttp } from './servers.ts';

describe('headers', () => {
  const good = {
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'",
    'X-CONTENT-TYPE-OPTIONS': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=()',
    Server: 'nginx',
  };
  const shown = (headers: Record<string, string>, isHttps = true): string[] =>
    scanHeaders(headers, isHttps).map(({ header, severity }) => `${header} ${severity}`);

  test('that are missing are told in order', () => {
    expect(shown({})).toEqual([
      'Strict-Transport-Security high',
      'Content-Security-Policy high',
      'X-Content-Type-Options medium',
      'X-Frame-Options medium',
      'Referrer-Policy low',
      'Permissions-Policy low',
    ]);
    expect(shown({}, false)).not.toContain('Strict-Transport-Security high');
    expect(shown(good)).toEqual([]);
  });

  test('are told with what to send', () => {
    const messages = scanHeaders({ Server: 'nginx/1.27' }, true).map(({ header, message }) => `${header} ${message}`);
    expect(messages).toEqual([
      'Strict-Transport-Security is missing: the first request may go over http; send "max-age=31536000"',
      `Content-Security-Policy is missing: scripts of others run if they get into a page; begin with "default-src 'self'"`,
      'X-Content-Type-Options is missing: browsers may guess another type of content; send "nosniff"',
      'X-Frame-Options is missing: other pages may show this one in a frame; send "DENY" or "SAMEORIGIN"',
      'Referrer-Policy is missing: addresses may be told to other sites; send "strict-origin-when-cross-origin"',
      'Permissions-Policy is missing: pages may ask for every device; send "camera=(), microphone=(), geolocation=()"',
      'Server tells a version: "nginx/1.27"; leave it out',
    ]);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ 'strict-transport-security': 'max-age=0' }, ['Strict-Transport-Security high']],
    [{ 'strict-transport-security': 'max-age=86400' }, ['Strict-Transport-Security medium']],
    [
      { 'Content-Security-Policy': "script-src 'self' 'unsafe-inline'; frame-ancestors 'none'" },
      ['Content-Security-Policy medium'],
    ],
    [{ 'Content-Security-Policy': "script-src 'nonce-abc' 'unsafe-inline'; frame-ancestors 'none'" }, []],
    [
      { 'Content-Security-Policy': "script-src * 'unsafe-eval'; frame-ancestors 'none'" },
      ['Content-Security-Policy low', 'Content-Security-Policy medium'],
    ],
    [{ 'Content-Security-Policy': "default-src 'self'" }, ['X-Frame-Options medium']],
    [{ 'X-CONTENT-TYPE-OPTIONS': 'sniff' }, ['X-Content-Type-Options medium']],
    [{ Server: 'nginx/1.27' }, ['Server low']],
    [{ 'Referrer-Policy': 'no-referrer, unsafe-url' }, ['Referrer-Policy low']],
  ])('that are weak: %j', (headers, found) => expect(shown({ ...good, ...headers })).toEqual(found));
});

describe('a preflight answer', () => {
  const origin = 'https://shop.example';
  test.each<[string, number, Record<string, string>, string, string[]]>([
    [
      'good',
      204,
      { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Methods': 'PUT, DELETE' },
      'DELETE',
      [],
    ],
    ['a star', 200, { 'access-control-allow-origin': '*', 'access-control-allow-methods': '*' }, 'DELETE', []],
    ['a simple verb', 200, { 'access-control-allow-origin': '*' }, 'POST', []],
    [
      'nothing',
      404,
      {},
      'PUT',
      ['(status) high', 'Access-Control-Allow-Origin high', 'Access-Control-Allow-Methods medium'],
    ],
    [
      'another origin',
      200,
      { 'access-control-allow-origin': 'https://other.example' },
      'GET',
      ['Access-Control-Allow-Origin high'],
    ],
    [
      'a star with credentials',
      200,
      {
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': '*',
      },
      'PUT',
      ['Access-Control-Allow-Origin high', 'Access-Control-Allow-Methods medium'],
    ],
  ])('%s', (_, status, headers, method, found) => {
    expect(judgePreflight({ origin, method, status, headers }).map((one) => `${one.header} ${one.severity}`)).toEqual(
      found,
    );
  });

  test.each<[headers: Record<string, string>, found: readonly string[]]>([
    [
      {},
      [
        'Access-Control-Allow-Origin is missing: pages of https://shop.example may not read answers; send "https://shop.example" where they may',
        'Access-Control-Allow-Methods is missing, and allows no PUT; name it where pages may send it',
      ],
    ],
    [
      { 'access-control-allow-origin': 'https://b.example', 'access-control-allow-methods': 'GET, DELETE' },
      [
        'Access-Control-Allow-Origin is "https://b.example", not https://shop.example: browsers refuse its pages; send "https://shop.example" where they may read answers',
        'Access-Control-Allow-Methods is "GET, DELETE", without PUT; name it where pages may send it',
      ],
    ],
    [
      {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': '*',
      },
      [
        'Access-Control-Allow-Methods is "*", which with credentials does not name PUT; name it where pages may send it',
      ],
    ],
  ])('tells what was seen and what to send: %j', (headers, found) => {
    const findings = judgePreflight({ origin, method: 'PUT', status: 204, headers });
    expect(findings.map(({ header, message }) => `${header} ${message}`)).toEqual(found);
  });
});

describe('probes', () => {
  test('of a rate limit stop at the first 429, and keep what is known when the connection is cut', async () => {
    let count = 0;
    await using server = await startHttp((request, response) => {
      count += 1;
      if (request.url === '/cut' && count > 2) request.socket.destroy();
      else response.writeHead(count > 3 ? 429 : 200, count > 3 ? { 'retry-after': '9' } : {}).end();
    });
    expect(await call('AT_probe_rate_limit', { url: `${server.url}/x`, burst: 10 })).toEqual({
      triggered: true,
      triggered_at_attempt: 4,
      retry_after: '9',
      attempts: 4,
      error: null,
    });
    expect(count).toBe(4);
    count = 0;
    expect(await call('AT_probe_rate_limit', { url: `${server.url}/x`, burst: 0 })).toMatchObject({
      triggered: false,
      attempts: 0,
    });
    expect(await call('AT_probe_rate_limit', { url: `${server.url}/cut`, burst: 10, method: 'post' })).toMatchObject({
      triggered: false,
      attempts: 3,
      error: expect.any(String) as string,
    });
  });

  test('of forged requests ask the target only, one by one, and show what gave them away', async () => {
    const seen: string[] = [];
    await using server = await startHttp((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        seen.push(`${request.method} ${request.url} ${body}`);
        if (body.includes('passwd')) response.end('root:x:0:0:root:/root:/bin/sh\n');
        else if (body.includes('localhost')) response.writeHead(302, { location: 'http://localhost/' }).end();
        else if (body.includes('0.0.0.0')) request.socket.destroy();
        else response.writeHead(400).end();
      });
    });
    const found = await call('AT_probe_ssrf', { target: `${server.url}/fetch?a=1`, parameter: 'address' });
    expect(found).toEqual([
      {
        probe: 'http://localhost',
        status: 302,
        message: 'was answered with 302 and sends clients on; send them to listed hosts only',
        redirect: 'http://localhost/',
      },
      {
        probe: 'file:///etc/passwd',
        status: 200,
        message: 'was fetched: the answer holds content of it; fetch listed hosts only, and no private address',
        evidence: 'root:x:0:0:root:/root:/bin/sh\n',
      },
    ]);
    expect(seen[0]).toBe('POST /fetch?a=1 {"address":"http://127.0.0.1"}');
    expect(seen.length).toBeGreaterThanOrEqual(6);
    seen.length = 0;
    await call('AT_probe_ssrf', { target: `${server.url}/fetch?a=1`, method: 'get', probes: ['http://x/?y'] });
    expect(seen).toEqual(['GET /fetch?a=1&url=http%3A%2F%2Fx%2F%3Fy ']);
  });
});

describe('a probe for forged requests', () => {
  test('takes an answer that repeats the address for no evidence', async () => {
    await using server = await startHttp((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => response.end(`no such job: ${body || request.url}`));
    });
    const probes = ['http://metadata.google.internal/computeMetadata/v1/'];
    for (const method of ['post', 'get'])
      expect(await call('AT_probe_ssrf', { target: server.url, method, probes })).toEqual([
        {
          probe: probes[0],
          status: 200,
          message:
            'was taken with 200: nothing shows that it was fetched; look, and refuse it with 400 or fetch listed hosts only, and no private address',
        },
      ]);
  });
});

describe('a dependency audit', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-audit-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, value: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  const advisory = (id: string, name: string, events: object[], more: object = {}): object => ({
    id,
    summary: `about ${name}`,
    affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
    references: [{ type: 'ADVISORY', url: `https://advisories.example/${id}` }],
    ...more,
  });

  test('compares versions of lock files of both kinds with ranges', async () => {
    const advisory_file = write('osv.json', {
      vulns: [
        advisory(
          'A',
          'tea',
          [{ introduced: '0' }, { fixed: '1.2.4' }, { introduced: '2.0.0-beta.2' }, { last_affected: '2.0.0' }],
          { database_specific: { severity: 'Medium' } },
        ),
        advisory('B', '@scope/cup', [{ introduced: '1.0.0' }]),
        advisory('C', 'tea', [{ introduced: '0' }], { withdrawn: '2024-01-01T00:00:00Z' }),
      ],
    });
    const three = write('three.json', {
      lockfileVersion: 3,
      packages: {
        '': { name: 'mine', version: '1.0.0' },
        'node_modules/tea': { version: '1.2.3' },
        'node_modules/pot/node_modules/tea': { version: '1.2.4' },
        'node_modules/other/node_modules/tea': { version: '2.0.0-beta.10' },
        'node_modules/@scope/cup': { version: '1.5.0' },
        'node_modules/linked': { link: true, resolved: 'x' },
      },
    });
    const found = await call('AT_run_dependency_audit', { lock_file: three, advisory_file });
    expect(found).toEqual([
      {
        name: '@scope/cup',
        version: '1.5.0',
        vulns: [{ id: 'B', title: 'about @scope/cup', severity: null, url: 'https://advisories.example/B' }],
      },
      {
        name: 'tea',
        version: '1.2.3',
        vulns: [{ id: 'A', title: 'about tea', severity: 'moderate', url: 'https://advisories.example/A' }],
      },
      { name: 'tea', version: '2.0.0-beta.10', vulns: [expect.objectContaining({ id: 'A' })] },
    ]);
    const one = write('one.json', {
      lockfileVersion: 1,
      dependencies: { pot: { version: '1.0.0', dependencies: { tea: { version: '0.1.0' } } } },
    });
    await expect(call('AT_run_dependency_audit', { lock_file: one, advisory_file })).resolves.toMatchObject([
      { name: 'tea', version: '0.1.0' },
    ]);
    await expect(
      call('AT_run_dependency_audit', { lock_file: one, advisory_file, fail_on: 'high' }),
    ).resolves.toHaveLength(1);
    const error = await failureOf(
      call('AT_run_dependency_audit', { lock_file: three, advisory_file, fail_on: 'high' }),
    );
    expect(error.facts).toMatchObject({ code: 'SVC83172', name: 'APIAssertException' });
    expect(error.message).toContain('@scope/cup 1.5.0');
    expect(error.options.result).toEqual(found);
  });

  test('takes the events of a range in any order, and packages under other names by their own', async () => {
    const advisory_file = write('unordered.json', [
      advisory('D', 'tea', [{ fixed: '3.0.0' }, { fixed: '1.2.4' }, { introduced: '2.0.0' }, { introduced: '0' }]),
      // Commits are no versions.
      {
        id: 'E',
        affected: [
          { package: { ecosystem: 'npm', name: 'tea' }, ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }] },
        ],
      },
    ]);
    const lock_file = write('aliases.json', {
      lockfileVersion: 1,
      dependencies: Object.fromEntries(
        ['1.2.3', '1.2.4', '2.0.0', '3.0.0'].map((version, index) => [
          `tea${index}`,
          { version: `npm:tea@${version}` },
        ]),
      ),
    });
    await expect(call('AT_run_dependency_audit', { lock_file, advisory_file })).resolves.toMatchObject([
      { name: 'tea', version: '1.2.3' },
      { name: 'tea', version: '2.0.0' },
    ]);
  });

  test('starts no program where the gate is closed', async () => {
    const lock_file = write('package-lock.json', { lockfileVersion: 3, packages: {} });
    await using unit = await session({ settings: { gates: { shell: false } } });
    const error = await failureOf(unit.call('AT_run_dependency_audit', { lock_file }));
    expect(error.message).toContain('shell');
  });

  test('reads what npm reports', () => {
    const report = {
      auditReportVersion: 2,
      vulnerabilities: {
        pot: { name: 'pot', severity: 'high', via: ['tea'] },
        tea: {
          name: 'tea',
          severity: 'high',
          via: [{ source: 1089, title: 'Spills', url: 'https://advisories.example/1', severity: 'high', range: '<1' }],
        },
      },
    };
    expect(readAudit(report, [{ name: 'tea', version: '0.9.0' }])).toEqual([
      {
        name: 'tea',
        version: '0.9.0',
        vulns: [{ id: '1089', title: 'Spills', severity: 'high', url: 'https://advisories.example/1' }],
      },
    ]);
    expect(readAudit({ error: { code: 'ENOLOCK' } }, [])).toBeUndefined();
  });

  test('knows the order of versions', () => {
    const order = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.1',
      '1.10.0',
      '2.0.0',
    ];
    expect(order.toReversed().toSorted(compareVersions)).toEqual(order);
    expect(compareVersions('v1.2', '1.2.0+build')).toBe(0);
  });
});
