import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { importBruno } from '#grammar/import/bruno.ts';
import { importHttpFile } from '#grammar/import/http-file.ts';
import { importOpenApi } from '#grammar/import/openapi.ts';
import { importPostman } from '#grammar/import/postman.ts';
import { readPostmanScript } from '#grammar/import/postman-script.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { startApiServer } from '../commands/api/api-server.ts';
import { startHttp, type Started } from '../commands/api/servers.ts';
import { svc, type Said } from './svc.ts';

let folder = '';
let server: Started;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-imports-')));
  server = await startApiServer();
  put('svc.config.yaml', 'lint: { preset: strict }\n');
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function put(path: string, content: string | object): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
}

const call = (args: readonly string[], env: Record<string, string> = {}): Promise<Said> => svc(folder, args, { env });

/** Imports, and holds what was made to the strict preset; yields the text. */
async function imported(source: string, out: string, env: Record<string, string> = {}): Promise<string> {
  const said = await call(['import', source, out, '--force']);
  expect(said).toMatchObject({ exit: 0 });
  const linted = await call(['lint', out, '--max-warnings', '0'], env);
  expect(linted).toEqual({ stdout: '', stderr: 'nothing found in 1 file\n', exit: 0 });
  return readFileSync(join(folder, out), 'utf8');
}

describe('svc import', () => {
  test('takes a cURL line, and runs what it made', async () => {
    const text = await imported(
      `curl '${server.url}/echo?x=1' -k -H 'Authorization: Bearer abcdefgh12345678' -d '{"a": 1}' --limit-rate 5`,
      'curl.yaml',
      { BEARER_TOKEN: 'abcdefgh' },
    );
    expect(text).toContain('# Not carried over: the option --limit-rate has no counterpart');
    expect(text).toContain('# svc-ignore no-disabled-tls');
    expect(text).not.toContain('abcdefgh12345678');
    expect(await call(['run', 'curl.yaml'], { BEARER_TOKEN: 'abcdefgh' })).toMatchObject({ exit: 0 });
  });

  test('takes a Postman collection with folders, variables, logins and scripts', async () => {
    const item = (name: string, request: object, ...lines: string[]): object => ({
      name,
      request,
      event: lines.length === 0 ? [] : [{ listen: 'test', script: { exec: lines } }],
    });
    put('shop.json', {
      info: { name: 'Shop', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] },
      variable: [
        { key: 'base', value: server.url },
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
    const text = await imported('shop.json', 'shop.yaml', env);
    expect(text).toContain('# Not carried over: 1 line of the test script, from: console.log(body);');
    expect(text).not.toMatch(/hunter2|sk-very/);
    expect(text).toContain('"n": "{{amount}}"');
    expect(await call(['run', 'shop.yaml', '--var', 'who=ada'], env)).toMatchObject({ exit: 0 });
    expect(await call(['run', 'shop.yaml'], env)).toMatchObject({ exit: 2, stderr: expect.stringContaining('who') });
    expect(await call(['import', 'shop.json', 'shop.yaml'])).toMatchObject({ exit: 2 });
  });

  test('takes a .http file with variables, names and references to answers', async () => {
    put(
      'calls.http',
      `@host = ${server.url}
@tail = {{host}}/echo

### log in
# @name login
POST {{tail}}?a=1
Content-Type: application/json
Authorization: Basic ada hunter2hunter2

{"user": "ada", "id": "{{$guid}}"}

> {% client.global.set("x", 1) %}

###
// what it answered
GET {{host}}/echo
    ?method={{login.response.body.$.method}}
    &type={{login.response.headers.Content-Type}}
X-Home: {{$processEnv HOME}}

### GraphQL
POST {{tail}}
X-REQUEST-TYPE: GraphQL

query Q { a }

{"b": 1}
`,
    );
    const text = await imported('calls.http', 'calls.yaml', { API_PASSWORD: 'x1x2x3x4' });
    expect(text).toContain('path: json.method');
    expect(text).toContain('1 line of the script, from: client.global.set("…", 1)');
    expect(text).toContain('query: "query Q { a }"');
    expect(await call(['run', 'calls.yaml'], { API_PASSWORD: 'x1x2x3x4' })).toMatchObject({ exit: 0 });
  });

  test('takes tokens that scripts and variables of a .http file hand on', async () => {
    const { steps, secrets } = await importHttpFile(
      [
        '@token = {{login.response.body.$.token}}\n\n# @name login\nPOST https://a.test/login\n\n' +
          '> {%\n  client.test("ok", function() {\n    client.assert(response.status === 200, "it is " + response.status);\n  });\n' +
          '  client.global.set("user_id", response.body.user.id);\n%}',
        '< {%\n  request.variables.set("a", "b");\n%}\nGET https://a.test/users/{{user_id}}\nAuthorization: Bearer {{token}}',
        'POST https://a.test/form\nContent-Type: application/x-www-form-urlencoded\n\na=1 &\nb=x y&\nc=3\n&d=4',
      ].join('\n\n###\n'),
    );
    expect(steps.map(({ action: [, params], options, lost }) => ({ params, options, lost }))).toMatchObject([
      {
        options: {
          expect: 'result.status_code == 200',
          save_as: [
            { name: 'user_id', path: 'json.user.id' },
            { name: 'login_token', path: 'json.token', secret: true },
          ],
        },
        lost: [],
      },
      {
        params: { test_url: 'https://a.test/users/{{user_id}}', headers: { Authorization: 'Bearer {{login_token}}' } },
        lost: ['the script before the request (3 lines)'],
      },
      { params: { data: 'a=1&b=x y&c=3&d=4' } },
    ]);
    expect(secrets).toEqual([]);
  });

  test('takes a Bruno collection in the order of its numbers', async () => {
    put('bruno/bruno.json', { version: '1', name: 'Jobs', type: 'collection' });
    put(
      'bruno/collection.bru',
      'auth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{jobToken}}\n}\n\nheaders {\n  X-All: yes\n}\n',
    );
    put('bruno/environments/local.bru', `vars {\n  url: ${server.url}\n}\nvars:secret [\n  jobToken\n]\n`);
    put(
      'bruno/second.bru',
      `meta {\n  name: second\n  type: http\n  seq: 2\n}\n\nget {\n  url: {{url}}/jobs/:part?q={{kept}}\n  body: none\n  auth: none\n}\n\nparams:query {\n  q: {{kept}}\n  ~r: 1\n}\n\nparams:path {\n  part: 7\n}\n\ntests {\n  test("a", function() {});\n}\n`,
    );
    put(
      'bruno/first.bru',
      `meta {\n  name: first\n  seq: 1\n}\n\npost {\n  url: {{url}}/echo\n  body: json\n  auth: inherit\n}\n\nbody:json {\n  {\n    "a": [1]\n  }\n}\n\nassert {\n  res.status: eq 200\n  res.body.method: eq POST\n  res.body.query: isDefined\n  res.body: isWeekend\n}\n\nvars:post-response {\n  kept: res.body.method\n}\n`,
    );
    const text = await imported('bruno', 'bruno.yaml', { JOB_TOKEN: 't-o-k-e-n' });
    expect(text.indexOf('first')).toBeLessThan(text.indexOf('second'));
    expect(text).toContain('# Not carried over: the assertion "res.body: isWeekend"');
    expect(text).toContain('# Not carried over: 1 line of the block "tests", from: test("…", function() {});');
    expect(await call(['run', 'bruno.yaml'], { JOB_TOKEN: 't-o-k-e-n' })).toMatchObject({ exit: 0 });
    put(
      'scripts.bru',
      `get {\n  url: ${server.url}/echo\n}\n\nassert {\n  res.body.items.length: gt 2\n  res.status: eq 200\n}\n\n` +
        `vars:post-response {\n  count: res.body.items.length\n}\n\n` +
        `script:post-response {\n  const data = res.getBody();\n  bru.setVar("who", data.method);\n  bru.setVar("key", "s3cr3t-k3y");\n}\n\n` +
        `tests {\n  test("ok", function () {\n    expect(res.getStatus()).to.equal(200);\n    expect(data.method).to.equal("res.body");\n  });\n}\n`,
    );
    const scripts = await call(['import', 'scripts.bru']);
    expect(scripts.stdout).toContain('expect: ["len(result.json.items) > 2", result.status_code == 200]');
    expect(scripts.stdout).toContain('save_as: [{ name: who, path: json.method }]');
    expect(scripts.stdout).toContain('1 line of the block "script:post-response", from: bru.setVar("…", "…");');
    expect(scripts.stdout).toContain('the variable "count" from res.body.items.length');
    put('bad.bru', 'get {\n  url: x\n');
    expect(await call(['import', 'bad.bru'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('ends inside of a block'),
    });
  });

  test('takes a Hurl file with captures, asserts and options', async () => {
    put(
      'jobs.hurl',
      `# what is there
POST ${server.url}/echo
X-Trace: 7 # not 8
[Query]
page: 2
[Options]
max-time: 2s
retry: 2
{
  "a": "{{newUuid}}"
}
HTTP 200
Content-Type: application/json
[Captures]
verb: jsonpath "$.method"
whole: xpath "string(//a)"
[Asserts]
jsonpath "$.method" == "POST"
jsonpath "$.query" contains "page"
duration < 5000
bytes count == 3
jsonpath "$.headers" not isEmpty

GET ${server.url}/echo?verb={{verb}}
HTTP *
`,
    );
    const text = await imported('jobs.hurl', 'jobs.yaml');
    expect(text).toContain('# Not carried over: the assert "bytes count == 3"');
    expect(text).toContain('# Not carried over: the capture "whole" from xpath "string(//a)"');
    expect(text).toContain('timeout: 2');
    expect(await call(['run', 'jobs.yaml'])).toMatchObject({ exit: 0 });
    put('bad.hurl', 'GET http://x/\n{"a": \n');
    expect(await call(['import', 'bad.hurl'])).toMatchObject({ exit: 1, stderr: expect.stringContaining('line 2') });
  });

  test('takes all predicates of a Hurl file that an answer of JSON can be asked', async () => {
    await using mirror = await startHttp((request, response) =>
      request.pipe(response.writeHead(200, { 'content-type': 'application/json' })),
    );
    put(
      'predicates.hurl',
      `POST ${mirror.url}
{"n": 7, "f": 1.5, "b": true, "s": "a/b.c", "d": "2024-02-29T01:02:03Z", "e": [], "l": [{"id": 3}, {"id": 4}], "z": null,
 "u": "01234567-89ab-4def-8123-456789abcdef", "ip": "127.0.0.1"}
HTTP 200
[Captures]
verb: jsonpath "$.s"
second: jsonpath "$.l" nth 1
digits: jsonpath "$.u" regex "(\\\\d+)-"
[Asserts]
jsonpath "$.n" isInteger
jsonpath "$.n" isNumber
jsonpath "$.f" not isInteger
jsonpath "$.b" isBoolean
jsonpath "$.s" isString
jsonpath "$.l" isCollection
jsonpath "$.l" isList
jsonpath "$.l[0]" isObject
jsonpath "$.d" isIsoDate
jsonpath "$.u" isUuid
jsonpath "$.ip" isIpv4
jsonpath "$.e" isEmpty
jsonpath "$.s" not isEmpty
jsonpath "$.none" not exists
jsonpath "$.z" == null
jsonpath "$.s" startsWith "a/"
jsonpath "$.s" not endsWith "abc"
jsonpath "$.s" endsWith ".c"
jsonpath "$.s" matches /^a\\/b/
jsonpath "$.s" == \`a/b.c\`
jsonpath "$.l" count == 2
jsonpath "$.l[*].id" includes 4
jsonpath "$.l[*].id" count == 2
jsonpath "$.l[*].id" nth 0 == 3
jsonpath "$..none" not exists
redirects count == 0
jsonpath "$.n" isFloat
jsonpath "$.s" == "{{verb}}"

GET ${server.url}/echo?digits={{digits}}
HTTP 200
[Asserts]
jsonpath "$.query" contains "{{digits}}"
`,
    );
    const text = await imported('predicates.hurl', 'predicates.yaml');
    expect(text.match(/Not carried over: .*/g)).toEqual([
      'Not carried over: the assert "jsonpath "$.n" isFloat"',
      // Captured by this very answer: the name is there for later steps.
      'Not carried over: the assert "jsonpath "$.s" == "{{verb}}""',
    ]);
    expect(await call(['run', 'predicates.yaml'])).toMatchObject({ exit: 0 });
    put('predicates.yaml', text.replace('schema: { type: boolean }', 'schema: { type: integer }'));
    expect(await call(['run', 'predicates.yaml'])).toMatchObject({
      exit: 1,
      stdout: expect.stringContaining('must be integer, but it is true'),
    });
  });

  test('takes the bodies that a Hurl file expects', async () => {
    const head = `POST ${server.url}/echo\n\`a\`\nHTTP 200\n`;
    put('bodies.hurl', `${head}{"method": "GET"}\n\n${head}\`text\`\n\n${head}base64,aGVsbG8=;\n`);
    const text = await imported('bodies.hurl', 'bodies.yaml');
    expect(text).toContain('expression: $, expected: { method: GET } }');
    expect(text).toContain('result.text == "text"');
    expect(text.match(/Not carried over: .*/g)).toEqual(['Not carried over: the expected body']);
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
      put('truth.bru', `get {\n  url: ${own.url}/\n}\n\nassert {\n${asserts}}\n`);
      await imported('truth.bru', 'truth.yaml');
      return await call(['run', 'truth.yaml']);
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

  test('takes OpenAPI documents of both generations', async () => {
    const json = (schema: object): object => ({ 'application/json': { schema } });
    put('new.yaml', {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: server.url }],
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
      paths: {
        '/echo': {
          post: {
            operationId: 'say',
            tags: ['a'],
            parameters: [
              { name: 'page', in: 'query', required: true, schema: { type: 'integer', minimum: 4 } },
              { name: 'X-Trace', in: 'header', required: true, schema: { const: '{{braces}}' } },
            ],
            requestBody: {
              content: json({ type: 'object', properties: { password: { type: 'string' }, n: { type: 'integer' } } }),
            },
            responses: { 200: { description: 'ok' } },
          },
          get: { security: [], responses: { 200: { description: 'ok' } } },
        },
      },
    });
    const text = await imported('new.yaml', 'new-actions.yaml', { KEY: 'k-e-y-1', PASSWORD: 'p-a-s-s' });
    expect(text).toContain(`base_url: { type: string, default: "${server.url}" }`.replaceAll('"', ''));
    expect(text).toContain('result.status_code == 200');
    expect(await call(['run', 'new-actions.yaml'], { KEY: 'k-e-y-1', PASSWORD: 'p-a-s-s' })).toMatchObject({ exit: 0 });
    put('old.json', {
      swagger: '2.0',
      host: 'old.example',
      basePath: '/v1',
      paths: {
        '/goods/{id}': {
          get: { parameters: [{ name: 'id', in: 'path', type: 'integer' }], responses: { 200: { description: '' } } },
        },
      },
    });
    expect(await imported('old.json', 'old.yaml')).toContain('test_url: "{{base_url}}/goods/1"');
    const said = await call(['import', 'old.json', 'old-too.json', '--json', '--base-url', server.url]);
    expect(JSON.parse(said.stdout)).toMatchObject({ from: 'OpenAPI 2.0', actions: 1 });
  });

  test('writes parameters in the style of the document, ends what leads back into itself, and names files', () => {
    const item = { $ref: '#/components/schemas/Item' };
    const query = (name: string, schema: object, more: object = {}): object => ({
      ...{ name, in: 'query', required: true, schema },
      ...more,
    });
    const ids = { type: 'array', items: { type: 'integer' }, example: [1, 2] };
    const fields = { type: 'object', example: { a: 1, b: 'x' } };
    const upload = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
    const { steps, lost } = importOpenApi({
      openapi: '3.1.0',
      info: {},
      components: {
        schemas: {
          Item: {
            type: 'object',
            required: ['code'],
            properties: {
              code: { type: 'string', pattern: '^[A-Z]{3}$' },
              parent: { anyOf: [item, { type: 'null' }] },
              children: { type: 'array', items: item },
            },
          },
        },
      },
      paths: {
        '/items': {
          get: {
            parameters: [
              query('many', ids),
              query('list', ids, { explode: false }),
              query('piped', ids, { style: 'pipeDelimited', explode: false }),
              query('deep', fields, { style: 'deepObject' }),
              query('spread', fields),
              query('said', {}, { schema: undefined, content: { 'application/json': { schema: fields } } }),
            ],
            responses: {},
          },
          put: { requestBody: { content: { 'application/json': { schema: item } } }, responses: {} },
          post: { requestBody: { content: { 'multipart/form-data': { schema: upload } } }, responses: {} },
          trace: { responses: {} },
        },
      },
    } as unknown as JsonObject);
    const [get, put, post] = steps.map(({ action }) => action[1]);
    expect(decodeURIComponent(String(get?.['test_url']))).toBe(
      '{{base_url}}/items?many=1&many=2&list=1,2&piped=1|2&deep[a]=1&deep[b]=x&a=1&b=x&said={"a":1,"b":"x"}',
    );
    expect(put?.['json']).toEqual({ code: expect.stringMatching(/^[A-Z]{3}$/) });
    expect(post?.['data']).toContain('name="file"; filename="file"');
    expect(lost).toEqual(['TRACE /items: the verb has no counterpart']);
  });

  test('takes folded addresses, forms with files and messages of .http files, and fields that stand twice', async () => {
    const { steps } = await importHttpFile(
      [
        'GET https://a.test/x\n  ?page=1\n  &size=2 HTTP/1.1\nAccept: */*',
        'POST https://a.test/up\nContent-Type: multipart/form-data; boundary=B\n\n--B\nContent-Disposition: form-data; name="t"\n\n1\n--B\nContent-Disposition: form-data; name="f"; filename="x.txt"\n\n< ./x.txt\n--B\nContent-Disposition: form-data; name="g"; filename="y.json"\nContent-Type: application/json\n\n< ./x.txt\n--B--',
        'WEBSOCKET wss://a.test/ws\n\none\n===\ntwo',
      ].join('\n\n###\n'),
    );
    expect(steps.map(({ action, lost }) => [...action, lost])).toMatchObject([
      ['AT_test_api_method', { test_url: 'https://a.test/x?page=1&size=2' }, []],
      [
        'AT_test_api_method',
        { files: { f: './x.txt', g: { path: './x.txt', type: 'application/json', name: 'y.json' } }, data: { t: '1' } },
        [],
      ],
      ['AT_test_api_method_websocket', { url: 'wss://a.test/ws', messages: ['one', 'two'] }, []],
    ]);
    const twice = { mode: 'urlencoded', urlencoded: ['1', '2'].map((value) => ({ key: 'a', value })) };
    const script = { exec: ["pm.test('ok', () => pm.response.to.have.status(201));"] };
    const [step] = importPostman({
      info: {},
      item: [
        {
          request: { method: 'POST', url: 'https://a.test', body: twice },
          event: [{ listen: 'test', script }],
        },
      ],
    } as unknown as JsonObject).steps;
    expect(step).toMatchObject({
      action: ['AT_test_api_method', { data: { a: ['1', '2'] } }],
      options: { expect: 'result.status_code == 201' },
      lost: [],
    });
  });

  test('takes curl lines with variables, paths behind a host, queries on further lines and limits of a .http file', async () => {
    const text = [
      '@base = http://127.0.0.1',
      '@token = s3cr3tt0ken',
      '### one\ncurl -X PUT \'{{base}}/c\' -H \'Authorization: Bearer {{token}}\' -d \'{"a":"{{who}}"}\' -d "{{who}}"',
      '### two\nGET /rel/path\nHost: shop.example:8080',
      '### three\nGET {{base}}/q\n?a=1\n&b=2',
      '### four\n# @timeout 500 ms\nPOST {{base}}/up\nContent-Type: text/plain\n\n<@latin1 ./f.txt',
      '### five\nPOST {{base}}/n\nContent-Type: application/json\n\n{"a": 1.0, "b": {{who}}}',
    ].join('\n\n');
    const { steps, secrets } = await importHttpFile(text);
    expect(steps.map(({ action, lost }) => [action[1], lost])).toEqual([
      [
        {
          http_method: 'put',
          test_url: '{{base}}/c',
          headers: {
            Authorization: 'Bearer ${ENV.TOKEN}',
            'Content-Type': 'application/x-www-form-urlencoded',
          },
          data: '{"a":"{{who}}"}&{{who}}',
        },
        [],
      ],
      [{ http_method: 'get', test_url: 'http://shop.example:8080/rel/path', allow_redirects: true }, []],
      [{ http_method: 'get', test_url: '{{base}}/q?a=1&b=2', allow_redirects: true }, []],
      [
        {
          http_method: 'post',
          test_url: '{{base}}/up',
          headers: { 'Content-Type': 'text/plain' },
          body_file: './f.txt',
          allow_redirects: true,
          timeout: 0.5,
        },
        ['the variables in the file ./f.txt, which is sent as it is'],
      ],
      [
        {
          http_method: 'post',
          test_url: '{{base}}/n',
          headers: { 'Content-Type': 'application/json' },
          data: '{"a": 1.0, "b": {{who}}}',
          allow_redirects: true,
        },
        [],
      ],
    ]);
    expect(secrets).toContain('TOKEN');
  });

  test('names the files that requests send from the working folder', async () => {
    put('inner/f.txt', 'hello');
    put('inner/f.http', `POST ${server.url}/echo\nContent-Type: text/plain\n\n< ./f.txt\n`);
    put('inner/f.hurl', `POST ${server.url}/echo\n[MultipartFormData]\nf: file,f.txt;\nHTTP 200\n`);
    put(
      'inner/parts.http',
      `POST ${server.url}/echo\nContent-Type: multipart/form-data; boundary=B\n\n--B\nContent-Disposition: form-data; name="f"; filename="n.txt"\nContent-Type: text/plain\n\n< ./f.txt\n--B\nContent-Disposition: form-data; name="t"\nContent-Type: text/css\n\na/b\n--B--\n`,
    );
    put('inner/f.bru', `post {\n  url: ${server.url}/echo\n  body: file\n}\n\nbody:file {\n  file: @file(f.txt)\n}\n`);
    for (const [name, path] of [
      ['f.http', 'body_file: inner/f.txt'],
      ['f.hurl', 'files: { f: { path: inner/f.txt, type: text/plain } }'],
      ['f.bru', 'body_file: inner/f.txt'],
      [
        'parts.http',
        '        f: { path: inner/f.txt, type: text/plain, name: n.txt }\n        t: { text: a/b, type: text/css }\n',
      ],
    ] as const) {
      expect(await imported(`inner/${name}`, 'inner.yaml')).toContain(path);
      expect(await call(['run', 'inner.yaml'])).toMatchObject({ exit: 0 });
    }
  });

  test('takes no secret of a HAR file from a body with numbers that change', async () => {
    const header = (name: string, value: string): object => ({ name, value });
    const request = {
      method: 'POST',
      url: `${server.url}/echo`,
      headers: [
        header('cookie', 'theme=dark'),
        header('cookie', 'sid=s3cr3tc00kie'),
        header('accept', 'text/html'),
        header('accept', 'application/json'),
        header('content-type', 'application/json'),
      ],
      postData: { mimeType: 'application/json', text: '{"password": "hunter22hunter", "n": 12345678901234567890}' },
    };
    put('twice.har', { log: { entries: [{ request, response: { status: 200 } }] } });
    const text = await imported('twice.har', 'twice.yaml', { PASSWORD: 'hunter22', COOKIE_SECRET: 'a=b' });
    expect(text).toContain('accept: application/json');
    expect(text).toContain('cookie: "${ENV.COOKIE_SECRET}"');
    expect(text).toContain('"password": "${ENV.PASSWORD}", "n": 12345678901234567890');
    expect(text).not.toMatch(/hunter22hunter|s3cr3tc00kie/);
    put('none.har', { log: { entries: [] } });
    expect(await call(['import', 'none.har'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('no request'),
    });
  });

  test('carries bodies that stand in files', async () => {
    put('bodies/order.txt', 'an order from a file');
    const at = `${server.url}/echo`;
    const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
    const body = { mode: 'file', file: { src: 'bodies/order.txt' } };
    put('files.json', {
      info: { name: 'F', schema },
      item: [{ name: 'a', request: { method: 'PUT', url: at, body } }],
    });
    put('files.http', `PUT ${at}\nContent-Type: text/csv\n\n< bodies/order.txt\n`);
    put('files.hurl', `PUT ${at}\nfile,bodies/order.txt;\nHTTP 200\n`);
    put(
      'files.bru',
      `meta {\n  name: a\n}\n\nput {\n  url: ${at}\n  body: file\n}\n\nbody:file {\n  file: @file(bodies/order.txt) @contentType(text/csv)\n}\n`,
    );
    for (const source of ['files.json', 'files.http', 'files.hurl', 'files.bru', `curl -T bodies/order.txt ${at}`]) {
      const text = await imported(source, 'files.yaml');
      expect(text).toContain('body_file: bodies/order.txt');
      expect(text).not.toContain('Not carried over');
      const said = await call(['run', 'files.yaml', '--record', 'files.jsonl']);
      expect(said).toMatchObject({ exit: 0 });
      const [record] = readFileSync(join(folder, 'files.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line.includes('order'));
      expect(record).toContain('an order from a file');
    }
    put('parts.http', `PUT ${at}\n\n<@ bodies/order.txt\n`);
    expect(await imported('parts.http', 'parts.yaml')).toContain(
      'the variables in the file bodies/order.txt, which is sent as it is',
    );
  });

  test('follows references of an OpenAPI document to files beside it, and tells those that lead nowhere', async () => {
    put('split/pets.json', { get: { responses: { 200: { description: 'x' } } } });
    const paths = { '/pets': { $ref: './pets.json' }, '/owners': { $ref: 'owners.json' } };
    put('split/openapi.json', { openapi: '3.1.0', servers: [{ url: server.url }], paths });
    const said = await call(['import', 'split/openapi.json']);
    expect(said.stdout).toContain('test_url: "{{base_url}}/pets"');
    expect(said.stderr).toContain('/owners: its operations stand in owners.json, which was not read');
  });

  test('says what it cannot read', async () => {
    put('none.txt', 'neither');
    expect(await call(['import', 'none.txt'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('no known kind'),
    });
    expect(await call(['import', 'missing.json'])).toMatchObject({ exit: 2 });
    expect(await call(['import', 'none.txt', '--format', 'collection'])).toMatchObject({ exit: 1 });
    put('notes.txt', '# notes\nurl = "http://x/"\n');
    expect(await call(['import', 'notes.txt', '--format', 'curl'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('no command line of curl'),
    });
  });
});

test('svc scaffold writes a file that passes, and keeps one that is there', async () => {
  expect(await call(['scaffold', `${server.url}/jobs/7`, 'start.yaml'])).toMatchObject({
    stdout: 'start.yaml\n',
    exit: 0,
  });
  expect(await call(['lint', 'start.yaml', '--max-warnings', '0'])).toEqual({
    stdout: '',
    stderr: 'nothing found in 1 file\n',
    exit: 0,
  });
  expect(await call(['run', 'start.yaml'])).toMatchObject({ exit: 0 });
  expect(await call(['scaffold', 'http://x/', 'start.yaml'])).toMatchObject({ exit: 2 });
  expect(await call(['scaffold', 'ftp://x/', 'other.yaml'])).toMatchObject({ exit: 2 });
  expect(existsSync(join(folder, 'other.yaml'))).toBe(false);
});
