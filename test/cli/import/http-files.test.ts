import { expect, test } from 'vitest';

import type { ImportedStep } from '#grammar/import/file.ts';
import { importHttpFile } from '#grammar/import/http-file.ts';
import { readPostmanScript } from '#grammar/import/postman-script.ts';

const head = 'POST https://a.test/\nContent-Type: application/json\n\n';

async function step(text: string): Promise<ImportedStep> {
  const { steps } = await importHttpFile(text);
  expect(steps).toHaveLength(1);
  return steps[0] as ImportedStep;
}

test('takes no comments and no values of variables into a body', async () => {
  expect(await step(`${head}{\n  // the first\n  "a": 1\n}\n\n# then\n@b = 2\n`)).toMatchObject({
    action: ['AT_test_api_method', { json: { a: 1 } }],
    lost: [],
  });
});

test('takes a number that is made when it is sent as a number', async () => {
  expect((await step(`${head}{"at": {{$timestamp}}}`)).action[1]).toMatchObject({
    headers: { 'Content-Type': 'application/json' },
    data: '{"at": ${date:%s}}',
  });
});

test('takes verbs in small letters, tells those without a counterpart, and reads an address over comments', async () => {
  expect(await step('post https://a.test/\n')).toMatchObject({
    action: ['AT_test_api_method', { http_method: 'post' }],
  });
  expect(await step('PROPFIND https://a.test/\n')).toMatchObject({
    action: ['AT_test_api_method', { test_url: 'https://a.test/' }],
    lost: ['the verb PROPFIND has no counterpart, and became GET'],
  });
  expect((await step('a.test/x\n  ?b=1\n  # &c=2\n  &d=3 HTTP/1.1\n')).action[1]).toMatchObject({
    http_method: 'get',
    test_url: 'http://a.test/x?b=1&d=3',
  });
});

test('takes requests that no separator stands between, but none out of the parts of a body', async () => {
  const { steps } = await importHttpFile(`GET https://a.test/1\n\n\nGET https://a.test/2\n\n${head}{"a": 1}\n`);
  expect(steps.map(({ action: [, { test_url: url, json }] }) => [url, json])).toEqual([
    ['https://a.test/1', undefined],
    ['https://a.test/2', undefined],
    ['https://a.test/', { a: 1 }],
  ]);
  const parts =
    'POST https://a.test/\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nGET https://a.test/2\n--b--\n';
  expect((await step(parts)).action[1]['data']).toContain('GET https://a.test/2');
});

test('keeps scripts and assertions in lines of their own out of bodies', async () => {
  expect(await step(`${head}{}\n\n?? status == 404\n?? body contains x\n{{\n  exports.a = 1;\n}}\n`)).toMatchObject({
    action: ['AT_test_api_method', { json: {} }],
    options: { expect: 'result.status_code == 404' },
    lost: ['the assertion "body contains x"', '1 line of the script, from: exports.a = 1;'],
  });
  expect(await step('{{\n  exports.a = 1;\n}}\nGET https://a.test/{{a}}\n')).toMatchObject({
    action: ['AT_test_api_method', { test_url: 'https://a.test/{{a}}' }],
    lost: ['the script before the request (3 lines)'],
  });
});

test('tells lines that mean another file, and scripts without a request', async () => {
  const { steps, lost } = await importHttpFile(
    'import ./other.http\n\nGET https://a.test/\n\n###\nrun #login\n\n### @name bye\nGET https://a.test/bye\nSet-Cookie:\n\n#### ----\n{{\n}}\n',
  );
  expect(lost).toEqual([
    'the line "import ./other.http", which means another file',
    'the line "run #login", which means another file',
    'a script without a request (2 lines)',
  ]);
  expect(steps).toMatchObject([
    { action: ['AT_test_api_method', { test_url: 'https://a.test/' }] },
    { action: ['AT_test_api_method', { headers: { 'Set-Cookie': '' } }], options: { name: 'bye' } },
  ]);
});

test('asks nothing of every answer that a script asks in some cases only', () => {
  const script = `pm.test("it's {there}", () => {
    const body = pm.response.json();
    if (pm.response.code === 200) {
      pm.environment.set("ticket", body.ticket);
      pm.expect(body.ok).to.eql(true);
    } else {
      pm.expect(pm.response.code).to.equal(404);
    }
    if (body.list)
      pm.expect(body.list.length).to.eql(2);
    pm.expect(body.id).to.eql(1);
  });
  body.list.forEach((one) => {
    pm.expect(body.id).to.be.a("number");
  });
  try {
    pm.expect(body.name).to.eql("a");
  } catch (error) {
    pm.expect(body.name).to.eql("b");
  }
  pm.test("time", () => { pm.expect(pm.response.responseTime).to.be.below(200); });`;
  const { expect: asked, captures, types, rest } = readPostmanScript(script.split('\n'));
  expect(asked).toEqual(['result.json.id == 1', 'result.json.name == "a"', 'result.elapsed_ms < 200']);
  expect(captures).toEqual([{ name: 'ticket', path: 'json.ticket' }]);
  expect(types).toEqual([]);
  expect(rest).toContain('pm.expect(pm.response.code).to.equal(404);');
});

test('carries lists and objects that a script compares with, as long as they hold values only', () => {
  const script = [
    'pm.expect(pm.response.json().tags).to.deep.equal([\'a\', "b"]);',
    "pm.test('one line', () => { pm.expect(pm.response.json().item).to.eql({id: 7, 'x y': [null, -1.5], more: {}}); });",
    'pm.expect(pm.response.json().all).to.not.eql([]);',
    'pm.expect(pm.response.json().id).to.eql([id, 2]);',
    'pm.expect(pm.response.json().id).to.eql([1 + 1]);',
    'pm.expect(pm.response.json().id).to.eql([12345678901234567890]);',
    "pm.expect(pm.response.json().id).to.eql(['a\\n']);",
    'pm.expect(pm.response.json().id).to.be.above([1]);',
  ];
  const { expect: asked, rest } = readPostmanScript(script);
  expect(asked).toEqual([
    'result.json.tags == ["a", "b"]',
    'result.json.item == {"id": 7, "x y": [null, -1.5], "more": {}}',
    '!(result.json.all == [])',
  ]);
  expect(rest).toHaveLength(5);
});
