import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { call, failureOf, session } from '../call.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-profiles-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function profile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('AT_load_env_profile', () => {
  test('values become variables with their type; the result has them as text', async () => {
    await using unit = await session({ variables: { host: 'old', stays: 1 } });
    const path = profile(
      'staging.json',
      JSON.stringify({ host: 'h', retries: 3, flags: { a: [true] }, nothing: null }),
    );
    expect(await unit.call('AT_load_env_profile', { file_path: path })).toEqual({
      name: 'staging',
      source: path,
      values: { host: 'h', retries: '3', flags: '{"a":[true]}', nothing: 'null' },
    });
    for (const [name, value] of Object.entries({
      host: 'h',
      retries: 3,
      flags: { a: [true] },
      stays: 1,
      nothing: null,
    }))
      expect(await unit.call('AT_get_variable', { name })).toEqual(value);
  });

  test('what stands under the name of a secret is masked, also inside of an object', async () => {
    await using unit = await session();
    const file_path = profile(
      'secrets.json',
      JSON.stringify({ password: ['of-the-top'], shop: { name: 'tea-shop', logins: [{ token: 'of-the-inside' }] } }),
    );
    await unit.call('AT_load_env_profile', { file_path });
    await unit.call('AT_get_variable', { name: 'shop' });
    const records = JSON.stringify(unit.records);
    expect(records).toContain('tea-shop');
    expect(records).not.toMatch(/of-the-(?:top|inside)/);
  });

  test('values come from the environment where the profile says so', async () => {
    const host = { ...nodeHost(), env: { TOKEN: 't0ken-value', EMPTY: '' } };
    const path = profile(
      'env.json',
      JSON.stringify({
        a: 'x${TOKEN}',
        b: ['${env:TOKEN}', '${ENV.TOKEN}'],
        c: '${NONE:-d f}',
        d: '$${TOKEN} ${date:x} $5',
        e: '${EMPTY}',
      }),
    );
    const result = await call('AT_load_env_profile', { file_path: path, store: {} }, { host });
    expect(result).toMatchObject({
      store: { a: 'xt0ken-value', b: ['t0ken-value', 't0ken-value'], c: 'd f', d: '${TOKEN} ${date:x} $5', e: '' },
    });
    const error = await failureOf(
      call('AT_load_env_profile', { file_path: profile('unset.json', '{"url": "${NOT_SET}/x"}') }, { host }),
    );
    expect(error.message).toContain('uses ${NOT_SET} in "url", which is not set.');
  });

  test('secrets are masked by the name that they have', async () => {
    await using unit = await session();
    await unit.call('AT_load_env_profile', {
      file_path: profile(
        'secret.json',
        '{"API_TOKEN": "very-s3cret", "db": {"x": 1}, "db_password": {"main": "hunter22"}}',
      ),
    });
    await unit.call('AT_get_variable', { name: 'API_TOKEN' });
    const written = JSON.stringify(unit.records);
    expect(written).not.toContain('very-s3cret');
    expect(written).not.toContain('hunter22');
  });

  test('a store of its own leaves the variables alone', async () => {
    await using unit = await session();
    const path = profile('own.json', '{"a": 1}');
    expect(await unit.call('AT_load_env_profile', { file_path: path, store: { a: 0, b: 2 } })).toMatchObject({
      store: { a: 1, b: 2 },
    });
    expect(await unit.call('AT_get_variable', { name: 'a' })).toBeNull();
  });

  test.each([
    ['[]', 'SVC83041'],
    ['{"a b": 1}', 'SVC83041'],
    ['{', 'SVC83041'],
    ['{"run": 1}', 'SVC80025'],
  ])('%s is refused with %s', async (text, code) => {
    expect((await failureOf(call('AT_load_env_profile', { file_path: profile('bad.json', text) }))).facts.code).toBe(
      code,
    );
  });

  test('a file that is not there, or not text, is named', async () => {
    expect((await failureOf(call('AT_load_env_profile', { file_path: join(folder, 'none.json') }))).facts.code).toBe(
      'SVC83040',
    );
    const path = join(folder, 'binary.json');
    writeFileSync(path, Uint8Array.of(0xff, 0xfe, 0x80));
    expect((await failureOf(call('AT_load_env_profile', { file_path: path }))).facts.code).toBe('SVC83040');
  });
});

describe('fake data', () => {
  test('is new every time', async () => {
    const all = await Promise.all(Array.from({ length: 50 }, () => call('AT_fake_uuid')));
    expect(new Set(all).size).toBe(50);
    expect(await call('AT_fake_email')).toMatch(/^[a-z]{8}@example\.invalid$/);
    for (const [length, count] of [
      [0, 1],
      [-5, 1],
      [3, 3],
      [10_000, 10_000],
    ])
      expect(await call('AT_fake_word', { length })).toMatch(new RegExp(`^[a-z]{${count}}$`));
  });
});
