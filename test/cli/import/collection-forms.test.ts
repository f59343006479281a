import { describe, expect, test } from 'vitest';

import { importBruno } from '#grammar/import/bruno.ts';
import { importCurlLine } from '#grammar/import/curl.ts';
import { detectFormat, importText } from '#grammar/import/detect.ts';
import type { ImportedFile, ImportedStep } from '#grammar/import/file.ts';
import { importOpenApi } from '#grammar/import/openapi.ts';
import { importPostman } from '#grammar/import/postman.ts';
import type { Json } from '#schemas/types/json.ts';

function requests(...items: readonly object[]): readonly ImportedStep[] {
  const item = items.map((request) => ({ request }));
  return importPostman({ info: { name: 'a' }, item } as unknown as Json).steps;
}

describe('requests of a Postman collection', () => {
  test('keep what is percent-encoded in a query', () => {
    const query = [
      { key: 'a', value: 'x%20y' },
      { key: 'b', value: '1+2%2B3' },
      { key: 'c', value: 'p q' },
    ];
    expect(requests({ url: { raw: 'https://a.test/?a=x%20y', query } })).toMatchObject([
      { action: ['AT_test_api_method', { test_url: 'https://a.test/?a=x%20y&b=1+2%2B3&c=p%20q' }] },
    ]);
  });

  test('have addresses in pieces, headers as text, and several headers of one name', () => {
    const url = { protocol: 'https', host: ['a', 'test'], port: '8443', path: ['x', ':id'], variable: [] };
    expect(requests({ url, header: 'X-A: 1\nX-B: 2' })).toMatchObject([
      {
        action: [
          'AT_test_api_method',
          { test_url: 'https://a.test:8443/x/{{id}}', headers: { 'X-A': '1', 'X-B': '2' } },
        ],
      },
    ]);
    const header = ['1', '2'].map((value) => ({ key: 'X-A', value }));
    expect(requests({ url: 'https://a.test/', header })).toMatchObject([
      { action: ['AT_test_api_method', { headers: { 'X-A': '1, 2' } }] },
    ]);
  });

  test('send no body with GET unless they say so, and tell files without a name', () => {
    const body = { mode: 'raw', raw: '{"a": 1}' };
    const [pruned, form] = requests(
      { url: 'https://a.test/', body },
      {
        method: 'PUT',
        url: 'https://a.test/',
        body: {
          mode: 'formdata',
          formdata: [
            { key: 'a', value: '1' },
            { key: 'picture', type: 'file', src: [] },
          ],
        },
      },
    );
    expect(pruned?.action[1]).not.toHaveProperty('json');
    expect(form?.lost).toEqual(['the field "picture" is a file that is not named']);
    const item = [{ request: { url: 'https://a.test/', body }, protocolProfileBehavior: { disableBodyPruning: true } }];
    expect(importPostman({ item }).steps[0]?.action[1]).toMatchObject({ json: { a: 1 } });
  });

  test('must be there, as operations must in an OpenAPI document', () => {
    expect(() => importPostman({ info: {}, item: [] })).toThrow('it has no request');
    expect(() => importOpenApi({ openapi: '3.1.0', info: {}, webhooks: {} })).toThrow(
      'it has no operation; the webhooks, which are requests of the server',
    );
  });
});

function bruno(text: string, ...others: readonly (readonly [path: string, text: string])[]): ImportedFile {
  return importBruno([{ path: 'a.bru', text }, ...others.map(([path, each]) => ({ path, text: each }))]);
}

describe('requests of a Bruno collection', () => {
  test('have values of several lines, and remarks that are no values', () => {
    const text = `post {
  url: https://a.test/
  body: formUrlEncoded
}

headers {
  @description('''
    a: b
  ''')
  X-A: 1
  "X \\"B\\"": 2
}

body:form-urlencoded {
  note: '''
    one
      two
  '''
  b: 2
}
`;
    const [step] = bruno(text).steps;
    expect(step?.action[1]).toMatchObject({
      headers: { 'X-A': '1', 'X "B"': '2' },
      data: { note: 'one\n  two', b: '2' },
    });
    expect(Object.keys((step?.action[1]['headers'] ?? {}) as object)).toHaveLength(2);
  });

  test('have media types of parts, settings, verbs of their own, and what is not there', () => {
    const text = `http {
  method: PURGE
  url: https://a.test/?a=x%20y
  body: multipartForm
}

params:query {
  a: x%20y
}

body:multipart-form {
  a: {} (Content-Type=application/json)
  b: '''
    []
  ''' @contentType(application/json)
  c: @file(d.txt)
}

assert {
  res.body.a: eq undefined
  res.body.b: neq undefined
}

settings {
  encodeUrl: false
  followRedirects: false
  timeout: 1500
}
`;
    expect(bruno(text).steps).toMatchObject([
      {
        action: [
          'AT_test_api_method',
          {
            test_url: 'https://a.test/?a=x%20y',
            files: {
              a: { text: '{}', type: 'application/json' },
              b: { text: '[]', type: 'application/json' },
              c: 'd.txt',
            },
            allow_redirects: false,
            timeout: 1.5,
          },
        ],
        options: { expect: ['!exists(result.json.a)', 'exists(result.json.b)'] },
        lost: ['the verb PURGE has no counterpart, and became GET'],
      },
    ]);
  });

  test('are asked for the text of a body that is compared with one', () => {
    const text = `get {
  url: https://a.test/
}

assert {
  res.body: eq "done"
  res.body: contains on
  res.body: eq 3
}

tests {
  test("a", function () {
    expect(res.body).to.equal('gone');
    expect(res.getBody()).to.eql(4);
  });
}
`;
    expect(bruno(text).steps[0]?.options['expect']).toEqual([
      'result.text == "done"',
      'contains(result.text, "on")',
      'result.json == 3',
      'result.text == "gone"',
      'result.json == 4',
    ]);
  });

  test('inherit a login over folders, and are told where they are of another kind', () => {
    const { steps, lost } = importBruno([
      { path: 'collection.bru', text: 'auth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{jobToken}}\n}\n' },
      { path: 'b/folder.bru', text: 'auth {\n  mode: inherit\n}\n' },
      { path: 'b/c.bru', text: 'get {\n  url: https://a.test/\n  auth: inherit\n}\n' },
      { path: 'd.bru', text: 'meta {\n  type: grpc\n}\n\ngrpc {\n  url: a.test\n}\n' },
    ]);
    expect(steps).toMatchObject([
      { action: ['AT_test_api_method', { headers: { Authorization: 'Bearer ${ENV.JOB_TOKEN}' } }], lost: [] },
    ]);
    expect(lost).toEqual(['d.bru: a request of the kind grpc']);
  });
});

test('a cURL line ends where a shell ends it, and other commands behind it are told', async () => {
  const text = `curl https://a.test/1 \\
  -H 'X-A: 1
2' -d "b
c"

# then
curl https://a.test/2 # why
echo done
$ curl https://a.test/3
  -H 'X-A: 3'
{"ok":true}
`;
  const { steps, lost } = await importText('curl', text, { name: 'a' });
  expect(steps.map(({ action: [, { test_url: url, data }] }) => [url, data])).toEqual([
    ['https://a.test/1', 'b\nc'],
    ['https://a.test/2', undefined],
    ['https://a.test/3', undefined],
  ]);
  expect(steps[2]?.action[1]).toMatchObject({ headers: { 'X-A': '3' } });
  expect(lost).toEqual([
    'the line that begins with "echo": it is no command of curl',
    'the line that begins with "{": it is no command of curl',
  ]);
});

test('a file of cURL lines may begin with comments', async () => {
  expect(await detectFormat('calls.sh', '#!/bin/sh\n\n# first\ncurl https://a.test/\n')).toBe('curl');
  expect(await detectFormat('calls.sh', '#!/bin/sh\necho curl https://a.test/\n')).toBe(undefined);
});

test('credentials whose form tells of them are in no cURL line and no HAR file that was taken', async () => {
  const key = `AKIA${'IOSFODNN7QWERTYU'}`;
  const line = `curl 'https://a.test/?by=${key}' -u ${key}: -H 'X-By: ${key}' -d 'by=${key}'`;
  const entries = [{ request: { method: 'GET', url: `https://a.test/?by=${key}`, headers: [] } }];
  for (const [format, text] of [
    ['curl', line],
    ['har', JSON.stringify({ log: { entries } })],
  ] as const) {
    const { steps, secrets } = await importText(format, text, { name: 'a' });
    expect(JSON.stringify(steps)).not.toContain(key);
    expect(secrets).toContain('AWS_ACCESS_KEY');
  }
});

describe('variables of the shell in a cURL line', () => {
  test('stand for user and password', async () => {
    expect(await importCurlLine('curl -u "$ID:$KEY" https://a.test/')).toMatchObject([
      { action: ['AT_test_api_method', { auth: ['${env:ID}', '${env:KEY}'] }] },
    ]);
  });

  test('are percent-encoded where curl does so, or it is told', async () => {
    const line = 'curl https://a.test/ -d grant=code --data-urlencode "text=$TEXT" --data-urlencode "b=1 2"';
    expect(await importCurlLine(line)).toMatchObject([
      { action: ['AT_test_api_method', { data: { grant: 'code', text: '${env:TEXT}', b: '1 2' } }], lost: [] },
    ]);
    expect(await importCurlLine(`${line} -G`)).toMatchObject([
      { lost: ['curl percent-encodes the value of "text", which is sent as it stands in the environment'] },
    ]);
  });
});

describe('requests with more than an address of http', () => {
  test('have no login in their address', async () => {
    expect(requests({ url: 'https://me:hidden%21@a.test/x' }, { url: 'https://me@a.test/' })).toMatchObject([
      { action: ['AT_test_api_method', { test_url: 'https://a.test/x', auth: ['me', '${ENV.API_PASSWORD}'] }] },
      { action: ['AT_test_api_method', { test_url: 'https://a.test/', auth: ['me', ''] }] },
    ]);
    const entry = (url: string): object => ({ request: { method: 'GET', url, headers: [] } });
    const entries = [entry('https://me:hidden@a.test/'), entry('data:image/png;base64,AAAA'), entry('wss://a.test/')];
    const { steps, lost, secrets } = await importText('har', JSON.stringify({ log: { entries } }), { name: 'a.har' });
    expect(steps).toMatchObject([
      { action: ['AT_test_api_method', { test_url: 'https://a.test/', auth: ['me', '${ENV.API_PASSWORD}'] }] },
    ]);
    expect(lost).toEqual([
      'the scheme of data:image/png;base64,AAAA has no counterpart',
      'the scheme of wss://a.test/ has no counterpart',
    ]);
    expect(secrets).toEqual(['API_PASSWORD']);
  });
});
