import { describe, expect, test } from 'vitest';

import { importBruno } from '#grammar/import/bruno.ts';
import { readPostmanScript } from '#grammar/import/postman-script.ts';

import { startHttp } from '../../commands/api/servers.ts';
import type { Said } from '../svc.ts';
import { importing } from './importing.ts';

const at = importing();

describe('svc import of collections', () => {
  test('takes values that Postman makes by itself with their meaning, wherever it runs', async () => {
    const bodies: string[] = [];
    await using mirror = await startHttp((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        bodies.push(body);
        response.end();
      });
    });
    const raw = '{"a": "{{$guid}}", "b": "{{$randomUUID}}", "at": "{{$isoTimestamp}}", "s": "{{$timestamp}}"}';
    const request = { method: 'POST', url: mirror.url, body: { mode: 'raw', raw } };
    at.put('made.json', {
      info: { name: 'made', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: [{ name: 'one', request }],
    });
    await at.imported('made.json', 'made.yaml');
    const before = Date.now();
    expect(await at.call(['run', 'made.yaml'], { TZ: 'Asia/Kolkata' })).toMatchObject({ exit: 0 });
    const { a, b, at: moment, s } = JSON.parse(bodies[0] ?? '{}') as Record<string, string>;
    for (const id of [a, b])
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(a).not.toBe(b);
    expect(moment).toBe(new Date(String(moment)).toISOString());
    expect(Math.abs(Date.parse(String(moment)) - before)).toBeLessThan(600_000);
    expect(s).toBe(String(Math.floor(Date.parse(String(moment)) / 1000)));
  });

  test('takes a Postman collection with folders, variables, logins and scripts', async () => {
    const item = (name: string, request: object, ...lines: string[]): object => ({
      name,
      request,
      event: lines.length === 0 ? [] : [{ listen: 'test', script: { exec: lines } }],
    });
    at.put('shop.json', {
      info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] },
      variable: [
        { key: 'base', value: at.url },
        { key: 'amount', value: '3' },
        { key: 'apiKey', value: 'sk-very-secret-value-1' },
      ],
      item: [
        {
          name: 'Orders',
          item: [
            item(
              'make one',
              {
                method: 'POST',
                url: {
                  raw: '{{base}}/echo?page=1',
                  query: [
                    { key: 'page', value: '1' },
                    { key: 'off', value: '2', disabled: true },
                  ],
                },
                header: [{ key: 'X-Api-Key', value: '{{apiKey}}' }],
                body: {
                  mode: 'raw',
                  raw: '{"n": {{amount}}, "by": "{{who}}"}',
                  options: { raw: { language: 'json' } },
                },
              },
              'pm.test("ok", function () {',
              '  pm.response.to.have.status(200);',
              '});',
              'const body = pm.response.json();',
              'pm.expect(body.method).to.eql("POST");',
              'pm.collectionVariables.set("path", body.query);',
              'console.log(body);',
            ),
            item('read it', { method: 'GET', url: '{{base}}/echo?from={{path}}', auth: { type: 'noauth' } }),
          ],
        },
        item('sent as a form', {
          method: 'PUT',
          url: { raw: '{{base}}/echo', host: ['{{base}}'] },
          body: {
            mode: 'urlencoded',
            urlencoded: [
              { key: 'password', value: 'hunter2hunter2' },
              { key: 'a', value: 'b' },
            ],
          },
        }),
        item('without an address', { method: 'GET' }),
      ],
    });
    const env = { TOKEN: 't0k3n-value', API_KEY: 'k3y-value', PASSWORD: 'pass-value' };
    const text = await at.imported('shop.json', 'shop.yaml', env);
    expect(text).toContain('# Not carried over: 1 line of the test script, from: console.log(body);');
    expect(text).not.toMatch(/hunter2|sk-very/);
    expect(text).toContain('"n": "{{amount}}"');
    expect(await at.call(['run', 'shop.yaml', '--var', 'who=ada'], env)).toMatchObject({ exit: 0 });
    expect(await at.call(['run', 'shop.yaml'], env)).toMatchObject({ exit: 2, stderr: expect.stringContaining('who') });
    expect(await at.call(['import', 'shop.json', 'shop.yaml'])).toMatchObject({ exit: 2 });
  });

  test('takes a Bruno collection in the order of its numbers', async () => {
    at.put('bruno/bruno.json', { version: '1', name: 'Jobs', type: 'collection' });
    at.put(
      'bruno/collection.bru',
      'auth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{jobToken}}\n}\n\nheaders {\n  X-All: yes\n}\n',
    );
    at.put('bruno/environments/local.bru', `vars {\n  url: ${at.url}\n}\nvars:secret [\n  jobToken\n]\n`);
    at.put(
      'bruno/second.bru',
      `meta {\n  name: second\n  type: http\n  seq: 2\n}\n\nget {\n  url: {{url}}/jobs/:part?q={{kept}}\n  body: none\n  auth: none\n}\n\nparams:query {\n  q: {{kept}}\n  ~r: 1\n}\n\nparams:path {\n  part: 7\n}\n\ntests {\n  test("a", function() {});\n}\n`,
    );
    at.put(
      'bruno/first.bru',
      `meta {\n  name: first\n  seq: 1\n}\n\npost {\n  url: {{url}}/echo\n  body: json\n  auth: inherit\n}\n\nbody:json {\n  {\n    "a": [1]\n  }\n}\n\nassert {\n  res.status: eq 200\n  res.body.method: eq POST\n  res.body.query: isDefined\n  res.body: isWeekend\n}\n\nvars:post-response {\n  kept: res.body.method\n}\n`,
    );
    const text = await at.imported('bruno', 'bruno.yaml', { JOB_TOKEN: 't-o-k-e-n' });
    expect(text.indexOf('first')).toBeLessThan(text.indexOf('second'));
    expect(text).toContain('# Not carried over: the assertion "res.body: isWeekend"');
    expect(text).toContain('# Not carried over: 1 line of the block "tests", from: test("…", function() {});');
    expect(await at.call(['run', 'bruno.yaml'], { JOB_TOKEN: 't-o-k-e-n' })).toMatchObject({ exit: 0 });
    at.put(
      'scripts.bru',
      `get {\n  url: ${at.url}/echo\n}\n\nassert {\n  res.body.items.length: gt 2\n  res.status: eq 200\n}\n\n` +
        `vars:post-response {\n  count: res.body.items.length\n}\n\n` +
        `script:post-response {\n  const data = res.getBody();\n  bru.setVar("who", data.method);\n  bru.setVar("key", "s3cr3t-k3y");\n}\n\n` +
        `tests {\n  test("ok", function () {\n    expect(res.getStatus()).to.equal(200);\n    expect(data.method).to.equal("res.body");\n  });\n}\n`,
    );
    const scripts = await at.call(['import', 'scripts.bru']);
    expect(scripts.stdout).toContain('expect: ["len(result.json.items) > 2", result.status_code == 200]');
    expect(scripts.stdout).toContain('save_as: [{ name: who, path: json.method }]');
    expect(scripts.stdout).toContain('1 line of the block "script:post-response", from: bru.setVar("…", "…");');
    expect(scripts.stdout).toContain('the variable "count" from res.body.items.length');
    at.put('bad.bru', 'get {\n  url: x\n');
    expect(await at.call(['import', 'bad.bru'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('ends inside of a block'),
    });
  });

  test('takes what scripts of Postman ask of types, lists, headers and statuses', () => {
    const lines = [
      'const body = pm.response.json();',
      'pm.expect(body).to.have.property("id");',
      'pm.expect(pm.response.code).to.be.oneOf([200, 201]);',
      "pm.expect(body.name).to.be.a('string');",
      "pm.expect(body.items).to.be.an('array');",
      'pm.expect(body.items).to.have.lengthOf(3);',
      'pm.expect(body.x).to.not.be.null;',
      'pm.expect(body.gone).to.be.undefined;',
      'pm.expect(body.s).to.match(/^a.c$/i);',
      'pm.response.to.have.header("Content-Type", "text/plain");',
      'pm.response.to.have.status("OK");',
      'pm.response.to.have.jsonBody("a.b");',
      'pm.response.to.be.notFound;',
      'pm.response.to.not.be.error;',
      'pm.expect(body).to.have.all.keys("a", "b");',
    ];
    expect(readPostmanScript(lines)).toEqual({
      expect: [
        'exists(result.json.id)',
        'result.status_code == 200 || result.status_code == 201',
        'len(result.json.items) == 3',
        '!(result.json.x == null)',
        '!exists(result.json.gone)',
        'matches(result.json.s, /^a.c$/i)',
        'result.headers.content-type == "text/plain"',
        'result.reason == "OK"',
        'exists(result.json.a.b)',
        'result.status_code == 404',
        '!(result.status_code >= 400)',
      ],
      captures: [],
      types: [
        { path: 'json.name', schema: { type: 'string' } },
        { path: 'json.items', schema: { type: 'array' } },
      ],
      rest: ['pm.expect(body).to.have.all.keys("…", "…");'],
    });
  });

  test.each([
    ['isTruthy', ['one', 'no', 'list'], ['zero', 'off', 'empty', 'none', 'absent']],
    ['isFalsy', ['zero', 'off', 'empty', 'none', 'absent', 'none.inner'], ['one', 'no', 'list']],
  ])('takes %s of Bruno as JavaScript does', async (operator, holding, others) => {
    const answer = { one: 1, no: 'no', list: [], zero: 0, off: false, empty: '', none: null };
    await using own = await startHttp((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const runOf = async (names: readonly string[]): Promise<Said> => {
      const asserts = names.map((name) => `  res.body.${name}: ${operator}\n`).join('');
      at.put('truth.bru', `get {\n  url: ${own.url}/\n}\n\nassert {\n${asserts}}\n`);
      await at.imported('truth.bru', 'truth.yaml');
      return await at.call(['run', 'truth.yaml']);
    };
    expect(await runOf(holding)).toMatchObject({ exit: 0 });
    for (const name of others) expect(await runOf([name])).toMatchObject({ exit: 1 });
  });

  test('takes all operators of the assertions of Bruno, and files of forms with their media types', () => {
    const asserts = {
      n: 'isNumber',
      m: 'matches ^a/b',
      in: 'in a, b',
      out: 'notIn [1, 2]',
      mid: 'between 1,3',
      start: 'startsWith a.',
      end: 'endsWith "z"',
      list: 'isArray',
      'list.length': 'isTruthy',
      'some.length': 'isFalsy',
      filled: 'isNotEmpty',
    };
    const lines = Object.entries(asserts).map(([name, check]) => `  res.body.${name}: ${check}`);
    const post = 'post {\n  url: http://127.0.0.1/x\n  body: multipartForm\n}\n';
    const form = 'body:multipart-form {\n  f: @file(a (1).txt) @contentType(text/csv)\n}\n';
    const file = importBruno([{ path: 'a.bru', text: `${post}${form}assert {\n${lines.join('\n')}\n}\n` }]);
    expect(file.steps.map(({ action, options, lost }) => [action[1], options['expect'], lost])).toEqual([
      [
        { http_method: 'post', test_url: 'http://127.0.0.1/x', files: { f: { path: 'a (1).txt', type: 'text/csv' } } },
        [
          'matches(result.json.m, /^a\\/b/)',
          'result.json.in == "a" || result.json.in == "b"',
          'result.json.out != 1 && result.json.out != 2',
          'result.json.mid >= 1 && result.json.mid <= 3',
          'matches(result.json.start, /^a\\./)',
          'matches(result.json.end, /z$/)',
          'len(result.json.list) > 0',
          'len(result.json.some) == 0',
          'len(result.json.filled) > 0',
        ],
        [],
      ],
      [{ payload: '{{last_response.json.n}}', schema: { type: 'number' } }, undefined, []],
      [{ payload: '{{last_response.json.list}}', schema: { type: 'array' } }, undefined, []],
    ]);
  });
});
