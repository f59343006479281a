import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call, failureOf, session } from '../call.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-tape-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entry = {
  method: 'post',
  url: 'http://shop.example/goods?x=1',
  request_body: '{"name":"tea"}',
  response_status: 201,
  response_body: '{"id":5}',
};

describe('a tape', () => {
  test('keeps its order, replaces what is recorded again, and shows no logins', async () => {
    const file_path = join(folder, 'new', 'tape.json');
    await call('AT_cassette_record', { file_path, ...entry });
    await call('AT_cassette_record', { file_path, ...entry, method: 'GET', request_body: '' });
    await call('AT_cassette_record', {
      file_path,
      ...entry,
      response_body: '{"id":6}',
      response_headers: { 'content-type': 'application/json', 'Set-Cookie': 'sid=abcdefgh' },
    });
    const written = JSON.parse(readFileSync(file_path, 'utf8')) as unknown[];
    expect(written).toEqual([
      {
        ...entry,
        method: 'POST',
        response_body: '{"id":6}',
        response_headers: { 'content-type': 'application/json', 'Set-Cookie': '***' },
      },
      { ...entry, method: 'GET', request_body: '', response_headers: {} },
    ]);
    const found = (body: string): Promise<unknown> =>
      call('AT_cassette_lookup', { file_path, method: 'Post', url: entry.url, body });
    expect(await found(entry.request_body)).toMatchObject({ response_body: '{"id":6}' });
    expect(await found('')).toEqual({});
  });

  test('has its keys in one order, however they were given and whenever it was written', async () => {
    const file_path = join(folder, 'ordered.json');
    const keys = Object.keys({ ...entry, response_headers: {} });
    const shuffled = Object.fromEntries(Object.entries(entry).toReversed());
    await call('AT_cassette_record', { file_path, ...shuffled });
    await call('AT_cassette_record', { file_path, ...shuffled, url: 'http://shop.example/' });
    const written = JSON.parse(readFileSync(file_path, 'utf8')) as object[];
    expect(written.map((one) => Object.keys(one))).toEqual([keys, keys]);
  });

  test('keeps what several record on it at once', async () => {
    const file_path = join(folder, 'shared.json');
    await using unit = await session();
    const urls = Array.from({ length: 6 }, (_, index) => `http://shop.example/goods/${index}`);
    const actions = urls.map((url) => ['AT_cassette_record', { file_path, ...entry, url }]);
    await unit.call('AT_run_actions_parallel', { actions });
    const taped = JSON.parse(readFileSync(file_path, 'utf8')) as { readonly url: string }[];
    expect(taped.map(({ url }) => url).toSorted()).toEqual(urls);
    expect(readdirSync(folder).filter((name) => name.startsWith('shared'))).toEqual(['shared.json']);
  });

  test.each([
    ['not JSON', '{"a', /cannot be read(?!.*not a list)/],
    ['not a list', '{}', /it is not a list/],
    ['an entry without address', JSON.stringify([{ ...entry, url: undefined }]), /entry 0 has no text "url"/],
    ['headers that are no texts', JSON.stringify([{ ...entry, response_headers: { a: 1 } }]), /response_headers/],
  ])('that is damaged is named and left as it is: %s', async (_, text, message) => {
    const file_path = join(folder, 'damaged.json');
    writeFileSync(file_path, text);
    const error = await failureOf(call('AT_cassette_record', { file_path, ...entry }));
    expect(error.facts.code).toBe('SVC83140');
    expect(error.message).toMatch(message);
    expect(readFileSync(file_path, 'utf8')).toBe(text);
  });
});
