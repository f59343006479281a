import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call, failureOf, session } from '../call.ts';
import { startApiServer } from './api-server.ts';
import type { Started } from './servers.ts';

let folder = '';
let server: Started;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-import-'));
  server = await startApiServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('AT_curl_to_action', () => {
  test('makes an action that sends what curl sends', async () => {
    await using unit = await session();
    const [name, params] = (await unit.call('AT_curl_to_action', {
      curl_command: `curl -X POST '${server.url}/echo?x=1' -H 'X-Trace: 7' -d 'a=1' -d 'b=ä'`,
    })) as [string, Record<string, unknown>];
    expect(await unit.call(name, params)).toMatchObject({
      json: {
        method: 'POST',
        query: '?x=1',
        body: 'a=1&b=ä',
        headers: { 'x-trace': '7', 'content-type': 'application/x-www-form-urlencoded' },
      },
    });
  });

  test('shows what it could not carry over', async () => {
    await using unit = await session();
    await unit.call('AT_curl_to_action', { curl_command: 'curl --ntlm -u ada:secret http://x/' });
    expect(unit.evidence).toEqual([
      {
        kind: 'text',
        name: 'what was not carried over',
        text: 'GET http://x/: the option --ntlm has no counterpart\nGET http://x/: set API_PASSWORD in the environment',
      },
    ]);
  });

  test('names the place of a mistake', async () => {
    const error = await failureOf(call('AT_curl_to_action', { curl_command: "curl 'http://x/" }));
    expect(error.facts).toMatchObject({ code: 'SVC84040', name: 'APITesterException' });
  });
});

describe('AT_convert_har', () => {
  test('takes requests over without what connections and credentials add', async () => {
    const file_path = join(folder, 'traffic.har');
    const header = (name: string, value: string): object => ({ name, value });
    writeFileSync(
      file_path,
      JSON.stringify({
        log: {
          entries: [
            {
              request: {
                method: 'POST',
                url: 'https://shop.example/goods?token=abc',
                headers: [
                  header(':method', 'POST'),
                  header('host', 'x'),
                  header('Accept', 'a'),
                  header('accept', 'b'),
                  header('Cookie', 'sid=1'),
                  header('content-type', 'application/json'),
                ],
                postData: { mimeType: 'application/json', text: '{"name":"tea {{x}}","password":"secret"}' },
              },
              response: { status: 201 },
            },
            { request: { method: 'GET', url: '' } },
            {
              request: {
                method: 'POST',
                url: 'http://x/',
                headers: [],
                postData: {
                  params: [
                    { name: 'a', value: '1' },
                    { name: 'f', fileName: 'x.png' },
                  ],
                },
              },
              response: { status: 0 },
            },
          ],
        },
      }),
    );
    expect(await call('AT_convert_har', { file_path })).toEqual([
      [
        'AT_test_api_method',
        {
          http_method: 'post',
          test_url: 'https://shop.example/goods?token=${ENV.TOKEN}',
          headers: { accept: 'b', Cookie: '${ENV.COOKIE_SECRET}' },
          json: { name: 'tea \\{{x}}', password: '${ENV.PASSWORD}' },
          result_check_dict: { status_code: 201 },
        },
      ],
      ['AT_test_api_method', { http_method: 'post', test_url: 'http://x/', data: { a: '1' } }],
    ]);
  });

  test('writes a form of several parts with a boundary of its own, and keeps fields that stand twice', async () => {
    const file_path = join(folder, 'forms.har');
    const entry = (type: string, ...params: object[]): object => ({
      request: {
        method: 'POST',
        url: 'http://x/',
        headers: [{ name: 'Content-Type', value: type }],
        postData: { params },
      },
    });
    const [one, two] = [1, 2].map((value) => ({ name: 'a', value: String(value) }));
    const multipart = 'multipart/form-data; boundary=gone';
    const file = { name: 'f', fileName: 'x.png', contentType: 'image/png' };
    const entries = [entry(multipart, one ?? {}, file), entry(multipart, one ?? {}), entry('', one ?? {}, two ?? {})];
    writeFileSync(file_path, JSON.stringify({ log: { entries } }));
    const made = (await call('AT_convert_har', { file_path })) as [string, Record<string, unknown>][];
    expect(made.map(([, params]) => params)).toMatchObject([
      { files: { f: { path: 'x.png', type: 'image/png' } }, data: { a: '1' } },
      {
        headers: { 'Content-Type': 'multipart/form-data; boundary=svc-form' },
        data: expect.stringMatching(/^--svc-form\r\n.*name="a"\r\n\r\n1\r\n--svc-form--\r\n$/s),
      },
      { data: { a: ['1', '2'] } },
    ]);
    expect(made[0]?.[1]).not.toHaveProperty('headers');
  });

  test('of nothing is an empty list, and of another file an error', async () => {
    const file_path = join(folder, 'empty.har');
    writeFileSync(file_path, '{}');
    expect(await call('AT_convert_har', { file_path })).toEqual([]);
    writeFileSync(file_path, 'no JSON');
    expect((await failureOf(call('AT_convert_har', { file_path }))).facts.code).toBe('SVC84041');
  });
});
