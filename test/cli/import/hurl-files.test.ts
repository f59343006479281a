import { expect, test } from 'vitest';

import { importHurl } from '#grammar/import/hurl.ts';
import type { JsonObject } from '#schemas/types/json.ts';

function params(text: string): readonly JsonObject[] {
  return importHurl(text).steps.map(({ action }) => action[1]);
}

test('takes a login whose user is a variable, and the status of any version', () => {
  const { steps, meta } = importHurl('GET https://a.test/\n[BasicAuth]\n{{user}}: {{password}}\nHTTP/* 200\n');
  expect(steps).toMatchObject([
    { action: ['AT_test_api_method', { auth: ['{{user}}', '${ENV.PASSWORD}'] }], lost: [] },
  ]);
  expect(steps[0]?.action[1]).not.toHaveProperty('data');
  expect(steps[0]?.options).toEqual({ expect: 'result.status_code == 200' });
  expect(meta).toEqual({ inputs: { user: { type: 'string' } } });
});

test('takes bodies of one JSON value, lists of one number and XML with empty lines', () => {
  const bodies = ['"a label" # why', 'false', '12', '[1]', '<list>\n\n  <item/>\n\n</list>', '<item/>'];
  const text = bodies.map((body) => `PUT https://a.test/\n${body}\nHTTP 204\n`).join('\n');
  const json = { 'Content-Type': 'application/json' };
  expect(params(text)).toEqual([
    { http_method: 'put', test_url: 'https://a.test/', headers: json, data: '"a label"' },
    { http_method: 'put', test_url: 'https://a.test/', headers: json, data: 'false' },
    { http_method: 'put', test_url: 'https://a.test/', headers: json, data: '12' },
    { http_method: 'put', test_url: 'https://a.test/', json: [1] },
    { http_method: 'put', test_url: 'https://a.test/', data: '<list>\n\n  <item/>\n\n</list>' },
    { http_method: 'put', test_url: 'https://a.test/', data: '<item/>' },
  ]);
});

test('keeps the last line break of a text of several lines', () => {
  const text = 'POST https://a.test/\n```\none\ntwo\n```\nHTTP 200\n```\ndone\n```\n';
  const { steps } = importHurl(text);
  expect(steps).toMatchObject([
    { action: ['AT_test_api_method', { data: 'one\ntwo\n' }], lost: ['the expected body'] },
  ]);
});

test('takes headers that stand several times, signs behind a backslash and headers without a value', () => {
  const text =
    'GET https://a.test/\nFruit: pear\nFruit: fig\nColour: \\#fff # not blue\nHost: b.test\nEmpty;\n{{name}}: x\n';
  const { steps } = importHurl(text);
  expect(steps).toMatchObject([
    {
      action: ['AT_test_api_method', { headers: { Fruit: 'pear, fig', Colour: '#fff', Empty: '' } }],
      lost: ['the header "{{name}}", whose name is made when it is sent'],
    },
  ]);
});

test('takes variables inside of queries, values of cookies and captures that are not to be shown', () => {
  const text =
    'GET https://a.test/\nHTTP 200\n[Captures]\nticket: jsonpath "$.id" redact\n[Asserts]\n' +
    'jsonpath "$.list[{{at}}].id" exists\ncookie "sid[Value]" == ""\ncookie "sid[Path]" == "/"\n';
  const { steps, meta } = importHurl(text);
  expect(meta).toEqual({ inputs: { at: { type: 'string' } } });
  expect(steps).toMatchObject([
    {
      options: {
        expect: ['result.status_code == 200', 'result.cookies.sid == ""'],
        save_as: [{ name: 'ticket', path: 'json.id', secret: true }],
      },
      lost: ['the assert "cookie "sid[Path]" == "/""'],
    },
    { action: ['AT_check_jsonpath', { expression: '$.list[{{at}}].id' }] },
  ]);
});

test('takes signs by number, breaks in short bodies, spaces in the names of files, and a digest', () => {
  const text =
    'POST https://a.test/\n[Options]\ndigest: true\nuser: me:hidden\n[Form]\nlist\\u{5b}0\\u{5d}: a=b\nHTTP 200\n`one\\n`\n\n' +
    'POST https://a.test/\n`one\\ntwo`\n\nPOST https://a.test/\nfile,my\\ file.txt;\n';
  expect(importHurl(text).steps).toMatchObject([
    {
      action: [
        'AT_test_api_method',
        { auth: ['me', '${ENV.API_PASSWORD}'], auth_scheme: 'digest', data: { 'list[0]': 'a=b' } },
      ],
      lost: ['the expected body'],
    },
    { action: ['AT_test_api_method', { data: 'one\ntwo' }] },
    { action: ['AT_test_api_method', { body_file: 'my file.txt' }] },
  ]);
});

test('asks for one of several headers of a name, and tells what asks for their list', () => {
  const text =
    'GET https://a.test/\nHTTP 200\nX-A: 1\nX-A: 2\nSet-Cookie: a=b\n[Asserts]\nheader "X-A" count == 2\nheader "X-A" contains "1"\nheader "X-B" toInt == 3\n';
  expect(importHurl(text).steps).toMatchObject([
    {
      options: {
        expect: [
          'result.status_code == 200',
          'contains(result.headers.x-a, "1")',
          'contains(result.headers.x-a, "2")',
          'contains(result.headers.set-cookie, "a=b")',
          'num(result.headers.x-b) == 3',
        ],
      },
      lost: ['the assert "header "X-A" count == 2"'],
    },
  ]);
});
