import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { failureOf, session } from '../call.ts';

const token = `ghp_${'a1B2c3D4e'.repeat(4)}`;

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-secrets-'));
});
afterAll(() => rm(root, { recursive: true }));

describe('WR_scan_secrets', () => {
  it('walks through the value in order, with paths as people write them', async () => {
    await using unit = await session();
    const data = [['WR_login', { password: 'Hunter2!', headers: { token } }], { 'a.b': `see ${token}` }, [[token]]];
    expect(await unit.call('WR_scan_secrets', { data })).toEqual([
      { path: '[0][1].password', rule: 'password_literal', preview: '… (8 characters)' },
      { path: '[0][1].headers.token', rule: 'github_token', preview: 'ghp_… (40 characters)' },
      { path: '[1].a.b', rule: 'github_token', preview: 'ghp_… (40 characters)' },
      { path: '[2][0][0]', rule: 'github_token', preview: 'ghp_… (40 characters)' },
    ]);
    expect(
      await unit.call('WR_scan_secrets', { data: { password: '${ENV.SHOP}', count: 7, list: [null, true] } }),
    ).toEqual([]);
    expect(await unit.call('WR_scan_secrets', { data: token })).toMatchObject([{ path: '' }]);
  });

  it('counts any literal under the name of a password: a passphrase, a number, those of a list', async () => {
    await using unit = await session();
    const data = {
      passphrase: 'correct horse battery staple',
      db_password: 12345678,
      passwords: ['Hunter2!', 4711, '${ENV.THIRD}'],
      password_length: 12,
      password: null,
      steps: [{ FA_set_zip_password: ['goods.zip', '${ENV.ZIP}'] }],
    };
    expect(await unit.call('WR_scan_secrets', { data })).toEqual([
      { path: 'passphrase', rule: 'password_literal', preview: 'corr… (28 characters)' },
      { path: 'db_password', rule: 'password_literal', preview: '… (8 characters)' },
      { path: 'passwords[0]', rule: 'password_literal', preview: '… (8 characters)' },
      { path: 'passwords[1]', rule: 'password_literal', preview: '… (4 characters)' },
    ]);
  });

  it('takes values that are deeper than the stack', async () => {
    await using unit = await session();
    let data: unknown = token;
    for (let depth = 0; depth < 200; depth += 1) data = [data];
    expect(await unit.call('WR_scan_secrets', { data })).toHaveLength(1);
  });
});

describe('WR_assert_no_secrets', () => {
  it('names places and rules, never the secret', async () => {
    await using unit = await session();
    const failure = await failureOf(unit.call('WR_assert_no_secrets', { data: { a: token, password: 'Hunter2!' } }));
    expect(failure.name).toBe('SecretsFound');
    expect(failure.message).toBe(
      '2 places look like hard-coded secrets: a (github_token), password (password_literal).',
    );
    expect(JSON.stringify(failure)).not.toContain('Hunter2');
  });
});

describe('WR_scan_secrets_file', () => {
  const scan = async (name: string, text: string): Promise<unknown> => {
    await using unit = await session();
    await writeFile(join(root, name), text);
    return unit.call('WR_scan_secrets_file', { path: join(root, name) });
  };

  it.each([
    ['a.yaml', `actions:\n  - WR_login: { user: ann, password: Hunter2! }\n`, 2, 38],
    ['a.json', `{"actions": [\n  ["WR_login", {"password": "Hunter2!"}]]}`, 2, 29],
    ['number.yaml', `actions:\n  - WR_login: { user: ann, password: 12345678 }\n`, 2, 38],
  ])('tells line and column in %s', async (name, text, line, column) => {
    expect(await scan(name, text)).toEqual([
      {
        path: expect.stringMatching(/password$/) as string,
        rule: 'password_literal',
        preview: '… (8 characters)',
        line,
        column,
      },
    ]);
  });

  it('tells the place of each of several in one text, behind escapes and on later lines', async () => {
    const secret = { rule: 'github_token', preview: 'ghp_… (40 characters)' };
    expect(await scan('two.json', `["\\u00fc ${token}\\n${token}"]`)).toEqual([
      { path: '[0]', ...secret, line: 1, column: 10 },
      { path: '[0]', ...secret, line: 1, column: 52 },
    ]);
    expect(await scan('two.yaml', `- |\n  ${token}\n  and\n  so ${token}\n`)).toEqual([
      { path: '[0]', ...secret, line: 2, column: 3 },
      { path: '[0]', ...secret, line: 4, column: 6 },
    ]);
  });

  it('looks at other files as text', async () => {
    expect(await scan('notes.txt', `first\n  ${token}\n`)).toEqual([
      { path: '', rule: 'github_token', preview: 'ghp_… (40 characters)', line: 2, column: 3 },
    ]);
  });

  it('fails for what is not there or cannot be read', async () => {
    expect((await failureOf(scan('broken.json', '{'))).facts).toMatchObject({ code: 'SVC82002' });
    await using unit = await session();
    const none = await failureOf(unit.call('WR_scan_secrets_file', { path: join(root, 'none.json') }));
    expect(none.name).toBe('FileNotExistsException');
  });
});
