import { describe, expect, test } from 'vitest';

import { Masker } from '#runtime/kernel/records/masker.ts';
import { recordable } from '#runtime/kernel/records/recordable.ts';
import { isSecretHeader, isSecretKey } from '#schemas/types/secret-key.ts';

import { compares, node, runCase, variable, type Case } from './harness.ts';

const SECRET = 'p@ss "wörd"/1+2';

function masker(...secrets: string[]): Masker {
  const made = new Masker();
  for (const secret of secrets) made.add(secret);
  return made;
}

describe('a masked text', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  test.each([
    ['raw', `before ${SECRET} after`],
    ['in JSON', JSON.stringify({ a: SECRET })],
    ['in a URL', `https://x.example/?q=${encodeURIComponent(SECRET)}&r=1`],
    ['in a URL, small hex digits', encodeURIComponent(SECRET).replace(/%../g, (code) => code.toLowerCase())],
    ['in a form', new URLSearchParams({ q: SECRET }).toString()],
    ['in base64', base64(SECRET)],
    ['in base64 for addresses', Buffer.from(SECRET).toString('base64url')],
    ['in basic authentication', `Basic ${base64(`ada:${SECRET}`)}`],
    ['in base64 with one byte before', base64(`:${SECRET}`)],
    ['in base64 in the middle', base64(`{"user":"ada","password":${SECRET},"more":true}`)],
  ])('%s', (_, text) => {
    const shown = masker(SECRET).text(text);
    expect(shown).toContain('***');
    expect(shown).not.toContain(SECRET);
    for (const word of shown.matchAll(/[A-Za-z0-9+/_-]{8,}/g))
      expect(Buffer.from(word[0], 'base64').toString()).not.toMatch(/ss "w|rd"\/1/);
  });

  test('the longer of two secrets is hidden whole', () => {
    expect(masker('hunter', 'hunter22').text('x hunter22 y hunter z')).toBe('x *** y *** z');
  });

  test('short and common values are left alone', () => {
    const plain = masker('abc', 'true', 'null', '');
    expect(plain.text('abc true null')).toBe('abc true null');
  });

  test('each line of a secret of many lines', () => {
    expect(masker('first line\nsecond line').text('he said: second line!')).toBe('he said: ***!');
  });

  test('characters of regular expressions are text', () => {
    expect(masker('a.*b$[1]').text('xa.*b$[1]y aXXb')).toBe('x***y aXXb');
  });
});

describe('known by their form', () => {
  const forms: Readonly<Record<string, string>> = {
    'a cloud key': `AKIA${'ABCD1234EFGH5678'}`,
    'a code host token': `ghp_${'a1B2'.repeat(9)}`,
    'a chat token': 'xoxb-1234567890-abcdef',
    'a signed token': `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'abc123_-'.repeat(4)}`,
    'a web key': `AIza${'a1-_5'.repeat(7)}`,
    'a private key': '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----',
  };
  test.each(Object.entries(forms))('%s', (_, secret) => {
    expect(masker().text(`key: ${secret} end`)).toBe('key: *** end');
  });
  test('a password in a URL', () => {
    expect(masker().text('postgres://ada:hunter22@db.example/x and https://x.example/a:b@c')).toBe(
      'postgres://ada:***@db.example/x and https://x.example/a:b@c',
    );
  });
});

describe('streams', () => {
  test('a secret that is split over chunks, at every place', () => {
    const text = `log: ${SECRET} and ${Buffer.from(`u:${SECRET}`).toString('base64')} end\n`;
    const whole = masker(SECRET).text(text);
    for (let at = 0; at <= text.length; at++) {
      const chunks = masker(SECRET).chunks();
      expect(chunks.push(text.slice(0, at)) + chunks.push(text.slice(at)) + chunks.end()).toBe(whole);
    }
  });
  test('one character at a time', () => {
    const chunks = masker('hunter22').chunks();
    let shown = '';
    for (const character of 'a hunter22 b ghp_' + 'a'.repeat(36) + ' c') shown += chunks.push(character);
    expect(shown + chunks.end()).toBe('a *** b *** c');
  });
  test('a long word does not hold everything back', () => {
    const chunks = masker('hunter22').chunks();
    expect(chunks.push('x'.repeat(100_000)).length).toBeGreaterThan(90_000);
  });
});

describe('key names', () => {
  test.each([
    'PASSWORD',
    'db_password',
    'API_KEY',
    'GITHUB_TOKEN',
    'MY_SECRET_VALUE',
    'SENTRY_DSN',
    'SLACK_WEBHOOK',
    'AUTH',
    'MYSQL_PWD',
    'AWS_CREDENTIALS',
    'apikey',
  ])('%s is secret', (key) => expect(isSecretKey(key)).toBe(true));
  test.each([
    'PWD',
    'OLDPWD',
    'SSH_AUTH_SOCK',
    'PASSWORD_FILE',
    'KEY_PATH',
    'SECRET_DIR',
    'TOKEN_HOME',
    'KEYBOARD',
    'AUTHOR',
    'MONKEY',
    'PATH',
  ])('%s is not', (key) => expect(isSecretKey(key)).toBe(false));
  test.each(['Authorization', 'Cookie', 'Set-Cookie', 'X-Api-Key', 'X-Auth-Token', 'Proxy-Authorization'])(
    'header %s is secret',
    (name) => expect(isSecretHeader(name)).toBe(true),
  );
  test.each(['Content-Type', 'Accept', 'X-Author'])('header %s is not', (name) =>
    expect(isSecretHeader(name)).toBe(false),
  );
});

describe('a cut value', () => {
  const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  test.each([
    ['a long text', 'x'.repeat(200_000)],
    ['quotes', '"'.repeat(100_000)],
    ['wide characters', '漢'.repeat(60_000)],
    ['pairs', '😀'.repeat(60_000)],
    ['control characters', '\u0001'.repeat(60_000)],
    ['a long list', Array.from({ length: 50_000 }, (_, index) => index)],
    ['many keys', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, 'value']))],
    ['nested', Array.from({ length: 300 }, () => ({ a: 'y'.repeat(500), b: [1, 2, { c: 'z'.repeat(100) }] }))],
  ])('%s is at most 64 KiB of JSON', (_, value) => {
    const recorded = recordable(value, masker());
    expect(recorded?.truncated).toBe(true);
    expect(size(recorded?.json)).toBeLessThanOrEqual(64 * 1024);
    expect(size(recorded?.json)).toBeGreaterThan(40 * 1024);
    expect(JSON.stringify(recorded?.json)).not.toContain('\\ud83d"');
  });
  test('half a secret is not left at the cut', () => {
    for (let shift = 0; shift < 20; shift++) {
      const recorded = recordable(
        'x '.repeat(32_740 - shift) + 'supersecretvalue'.repeat(50),
        masker('supersecretvalue'),
      );
      expect(recorded?.json).not.toMatch(/supe/);
    }
  });
  test('a value that loops ends', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(recordable(loop, masker())?.truncated).toBe(true);
  });
  test('live objects are handles, dates are text', () => {
    class WebElement {}
    expect(
      recordable(
        {
          element: new WebElement(),
          fn: () => 1,
          at: new Date(0),
          bytes: new Uint8Array(3),
          big: 10n,
          no: undefined,
          nan: NaN,
        },
        masker(),
      )?.json,
    ).toEqual({
      element: { $handle: 'web-element' },
      fn: { $handle: 'function' },
      at: '1970-01-01T00:00:00.000Z',
      bytes: { $handle: 'bytes' },
      big: '10',
      nan: 'NaN',
    });
  });
});

describe('in a run', () => {
  /** No line of records or events holds one of these. */
  async function shows(test: Case, ...secrets: string[]): Promise<string> {
    const { records, events, outcome } = await runCase(test);
    const all = JSON.stringify([records, events, outcome]);
    for (const secret of secrets) expect(all).not.toContain(secret);
    return all;
  }

  test('the line and the name of a step that holds what is secret', async () => {
    const place = { file: 'a.yaml', line: 1, column: 1, text: 'echo: { a: hunter22! }' };
    const { events } = await runCase({
      host: { env: { API_TOKEN: 'hunter22!' } },
      commands: { echo: () => 1 },
      body: [node('x', 'echo', { a: { ref: { ns: 'env', name: 'API_TOKEN' } } }, { name: 'with hunter22!' })],
      program: { places: { 'a.yaml#x': place } },
    });
    const [finished] = events.filter(({ kind }) => kind === 'step-finished');
    expect(finished).toMatchObject({ step: { name: 'with ***', place: { ...place, text: 'echo: { a: *** }' } } });
  });

  test('environment keys by their name, raw, in errors and in what is built from them', async () => {
    const host = { env: { API_TOKEN: 'hunter22!', PLAIN: 'visible' } };
    const ref = { ns: 'env', name: 'API_TOKEN' } as const;
    const all = await shows(
      {
        host,
        commands: {
          ATTACH: ({ value }, ctx) => {
            ctx.attach({ kind: 'text', name: 'log', text: `token ${String(value)}` });
            throw new Error(`bad ${String(value)}`, { cause: new Error(String(value)) });
          },
        },
        body: [
          node('0', 'GET', { value: { text: ['Bearer ', ref] } }),
          node('1', 'GET', { value: { text: [{ ns: 'env', name: 'PLAIN' }] } }),
          node('2', 'ATTACH', { value: { ref } }),
        ],
      },
      'hunter22!',
    );
    expect(all).toContain('Bearer ***');
    expect(all).toContain('visible');
  });

  test('meta.secrets, the configuration, and what is public', async () => {
    const host = { env: { CUSTOMER: 'customer-77', REGION: 'region-9', PUBLIC_KEY: 'public-5' } };
    const program = { settings: { gates: {}, secrets: { env: ['REGION'] }, public_env: ['PUBLIC_KEY'] } };
    const text = (name: string) => ({ value: { ref: { ns: 'env', name } as const } });
    const all = await shows(
      {
        host,
        program,
        unit: { secrets: ['CUSTOMER'] },
        body: [
          node('0', 'GET', text('CUSTOMER')),
          node('1', 'GET', text('REGION')),
          node('2', 'GET', text('PUBLIC_KEY')),
        ],
      },
      'customer-77',
      'region-9',
    );
    expect(all).toContain('public-5');
  });

  test('files of the environment', async () => {
    await shows(
      {
        files: { '/work/.env': 'DB_PASSWORD=hunter22!\n' },
        body: [node('0', 'GET', { value: { text: ['x', { ns: 'ENV', name: 'DB_PASSWORD' }] } })],
      },
      'hunter22!',
    );
  });

  test('parameters, inputs and captures declared secret, also short ones', async () => {
    const commands = {
      LOGIN: { secret: ['pin'], does: ({ pin }: { pin?: unknown }) => ({ echoed: pin, text: 'abc', ok: true }) },
    };
    const all = await shows(
      {
        commands,
        unit: { inputs: [{ name: 'key', schema: {}, secret: true }] },
        options: { variables: { key: { text: 'k-9' } } },
        body: [
          node('0', 'LOGIN', { pin: 'p-1' }),
          node('1', 'GET', { value: { ref: variable('key') } }),
          node(
            '2',
            'GET',
            {
              value: {
                map: [
                  ['otp', { lit: 'o77' }],
                  ['rest', { lit: 'seen' }],
                ],
              },
            },
            { save_as: [{ name: 'otp', path: ['otp'], secret: true }] },
          ),
          node('3', 'GET', { value: { ref: variable('otp') } }),
          node(
            '4',
            'GET',
            { value: { ref: variable('otp') } },
            { expect: [compares(variable('result'), '==', 'other')] },
          ),
        ],
      },
      '"p-1"',
      '"k-9"',
      '"o77"',
    );
    expect(all).toContain('"rest":"seen"');
  });

  test('reasons, notices and dry runs', async () => {
    const host = { env: { API_TOKEN: 'hunter22!' } };
    await shows(
      {
        host,
        options: { dryRun: true },
        commands: { LOGIN: { secret: ['pin'], does: () => null } },
        body: [node('0', 'LOGIN', { pin: 'hunter33!', text: { text: [{ ns: 'env', name: 'API_TOKEN' }] } })],
      },
      'hunter22!',
      'hunter33!',
    );
    await shows(
      {
        options: { dryRun: true },
        body: [
          node('0', 'GET', {
            value: { lit: { user: 'ada', bot_token: 'written-1', servers: [{ password: 'written-2' }] } },
          }),
        ],
      },
      'written-1',
      'written-2',
    );
    await shows(
      {
        host,
        body: [
          node('0', 'SET', { name: 'x', value: 1 }),
          node('1', 'GET', { value: 1 }, { when: { ...compares(variable('x'), '==', 2), source: 'x == "hunter22!"' } }),
        ],
      },
      'hunter22!',
    );
  });

  test('headers of evidence by their name', async () => {
    const all = await shows(
      {
        commands: {
          ASK: (_, ctx) =>
            ctx.attach({
              kind: 'http',
              elapsed_ms: 1,
              request: {
                method: 'GET',
                url: 'https://ada:hunter22@x.example/',
                headers: { Authorization: 'Basic abc', accept: 'a/b' },
                body: 'token=ghp_' + 'a'.repeat(36),
              },
              response: { status: 200, headers: { 'set-cookie': 'sid=1' } },
            }),
        },
        body: [node('0', 'ASK')],
      },
      'hunter22',
      'Basic abc',
      'sid=1',
      'ghp_a',
    );
    expect(all).toContain('a/b');
  });
});
