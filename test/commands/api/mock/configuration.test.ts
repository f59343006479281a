import { readFile } from 'node:fs/promises';

import { describe, expect, test } from 'vitest';

import { configShape } from '#stdlib/api/mock/http/config-shape.ts';

import { failureOf, session } from '../../call.ts';
import { place, post } from './mock-server.ts';

const at = place();

describe('a configuration file', () => {
  test('serves routes, rules, webhooks and faults, from YAML or JSON', async () => {
    const config = at.file(
      'shop.yaml',
      [
        'http:',
        '  faults: { failure_probability: 0 }',
        '  webhooks: [/hook]',
        '  routes:',
        '  - { rule: /ready, body: { up: true } }',
        '  - { rule: "/hello/<name>", body: "Hello {{request.path.name}} of {{town}}" }',
        '  - rule: /order',
        '    methods: [POST]',
        '    status: 201',
        '    headers: { x-shop: "1" }',
        '    rules:',
        '    - { when: { field_path: sku, expected: none }, status: 404, body: { error: gone } }',
        '    - { body: { sku: "{{request.json.sku}}" } }',
      ].join('\n'),
    );
    await using mock = await at.start({ config }, { variables: { town: 'Oz' } });
    expect(await (await fetch(`${mock.url}/ready`)).json()).toEqual({ up: true });
    expect(await (await fetch(`${mock.url}/hello/Ada`)).text()).toBe('Hello Ada of Oz');
    const order = await post(`${mock.url}/order`, { sku: 'a' });
    expect([order.status, order.headers.get('x-shop'), await order.json()]).toEqual([201, '1', { sku: 'a' }]);
    expect((await post(`${mock.url}/order`, { sku: 'none' })).status).toBe(404);
    expect((await post(`${mock.url}/hook`, {})).status).toBe(200);
  });

  test('answers by any part of the request, in sequence, and with templates in headers', async () => {
    const config = at.file(
      'steps.yaml',
      [
        'http:',
        '  cors: true',
        '  routes:',
        '  - rule: /jobs/<id>',
        '    methods: [GET, DELETE]',
        '    rules:',
        '    - { times: 2, status: 503 }',
        '    - { when: { in: query, field_path: full, expected: "1" }, body: all }',
        '    - { when: { in: headers, field_path: X-Tenant, expected: a }, body: a }',
        '    - { when: { in: path, field_path: id, expected: "9" }, body: nine }',
        '    - { body: { id: "{{request.path.id}}" }, headers: { location: "/jobs/{{request.path.id}}" } }',
        '  - { rule: /moved/<to>, status: 302, headers: { location: "/{{request.path.to}}" } }',
      ].join('\n'),
    );
    await using mock = await at.start({ config });
    const get = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
      const answer = await fetch(`${mock.url}${path}`, { headers, redirect: 'manual' });
      return [answer.status, answer.headers.get('location'), await answer.text()].filter(Boolean).join(' ');
    };
    expect([await get('/jobs/1'), await get('/jobs/1')]).toEqual(['503', '503']);
    expect(await get('/jobs/1?full=1')).toBe('200 all');
    expect(await get('/jobs/1', { 'x-tenant': 'a' })).toBe('200 a');
    expect(await get('/jobs/9')).toBe('200 nine');
    expect(await get('/jobs/7')).toBe('200 /jobs/7 {"id":"7"}');
    expect(await get('/moved/there')).toBe('302 /there');
    expect(await get('/moved/a%0Db')).toMatch(/^500 /);
    const page = { origin: 'http://page.test', 'access-control-request-method': 'DELETE' };
    const asked = await fetch(`${mock.url}/jobs/1`, { method: 'OPTIONS', headers: page });
    expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([204, 'DELETE']);
    const read = await fetch(`${mock.url}/jobs/7`, { headers: { origin: 'http://page.test' } });
    expect(read.headers.get('access-control-allow-origin')).toBe('http://page.test');
    expect(read.headers.get('access-control-expose-headers')).toBe('location');
    expect((await fetch(`${mock.url}/jobs/7`)).headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each([
    ['{"http": {"routes": [{"body": 1}]}}', 'is wrong in line 1: at /http/routes/0/rule the schema asks for required.'],
    [
      'http:\n  routes:\n  - rule: ready\n',
      'is wrong in line 3: at /http/routes/0/rule the schema asks for pattern ^/.',
    ],
    [
      'http:\n  routes:\n  - rule: /a\n    status: 99\n    methods: [FETCH]\n',
      'is wrong in line 4: at /http/routes/0/status the schema asks for 200..599.',
    ],
    ['htpp: {}', 'is wrong in line 1: at /htpp the schema asks for $schema | http | websocket | grpc.'],
    ['[]', 'is wrong in line 1: at / the schema asks for object.'],
  ])('%s', async (text, message) => {
    await using unit = await session();
    const error = await failureOf(unit.call('AT_start_mock_server', { config: at.file('bad.yaml', text) }));
    expect(error.message).toContain(message);
  });

  test('all that is wrong is told at once', async () => {
    await using unit = await session();
    const text = 'http:\n  routes:\n  - rule: ready\n    status: 99\n  port: -1\n';
    const { options } = await failureOf(unit.call('AT_start_mock_server', { config: at.file('bad.yaml', text) }));
    expect(options.actual).toEqual([
      'line 3: /http/routes/0/rule: pattern ^/',
      'line 4: /http/routes/0/status: 200..599',
      'line 5: /http/port: 0..65535',
    ]);
  });

  test('what cannot be read, and what this version cannot serve, is named before a port is opened', async () => {
    await using unit = await session();
    const refused = async (text: string): Promise<string> =>
      (await failureOf(unit.call('AT_start_mock_server', { config: at.file('bad.yaml', text) }))).message;
    expect(await refused('http: [')).toContain('cannot be read');
    expect(await refused('http: { openapi: shop.json }')).toContain('there is no such file');
    expect(await refused('websocket: {}')).toContain('"websocket"');
    expect(await refused('http: { routes: [{ rule: "/<a" }] }')).toContain('cannot be read at "<"');
    expect(await refused('http: { routes: [{ rule: /a }, { rule: /a }] }')).toContain('already has a route');
    await unit.call('AT_start_mock_server');
  });

  test('has the shape that the published schema says', async () => {
    const schema = JSON.parse(
      await readFile(new URL('../../../../schemas/contracts/mock-config.schema.json', import.meta.url), 'utf8'),
    ) as { properties: Record<string, unknown> };
    expect(bare({ properties: { http: schema.properties['http'] } })).toEqual({
      properties: { http: configShape.properties?.['http'] },
    });
    expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(configShape.properties ?? {}).sort());
  });
});

/** A schema without the words for editors. */
function bare(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => bare(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key]) => isNames || (key !== 'description' && key !== 'default' && key !== 'title'),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value, key === 'properties')]));
}
