import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Masker } from '#runtime/kernel/records/masker.ts';
import { recordable, RESULT_LIMIT } from '#runtime/kernel/records/recordable.ts';
import { isSecretHeader, isSecretKey } from '#schemas/types/secret-key.ts';

import { base64, codes, escapes, everyByte, readings } from '../written-secrets.ts';

const SECRET = 'p@ss "wörd"/1+2';

function masker(...secrets: string[]): Masker {
  const made = new Masker();
  for (const secret of secrets) made.add(secret);
  return made;
}

describe('a masked text', () => {
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

describe('every way to write a secret', () => {
  const secrets = {
    plain: 'hunter22-correct',
    odd: SECRET,
    wide: 'pä$$ 漢字😀 "q"\\n%41&amp;+/=',
    lines: `-----KEY-----\n${'MIIEowIBAAKCAQEA1/+x'.repeat(8)}\n-----END-----`,
  };
  const ways = Object.entries({ ...escapes, ...codes });
  test.each(
    Object.entries(secrets).flatMap(([kind, secret]) =>
      ways.map(([way, write]) => [kind, way, secret, write] as const),
    ),
  )('%s as %s', (_kind, way, secret, write) => {
    const known = masker(secret);
    const shown = known.text(`before ${write(secret)} after`);
    expect(shown).toContain('***');
    if (way in escapes)
      expect(shown.replaceAll(/\*+(?:(?:\\n|\\u000a|%0a|&#10;|&#xa;|\s)+\*+)*/gi, '*')).toBe('before * after');
    else expect(readings(shown)).not.toMatch(/ter22-corr|ss "w.*rd"|字|IBAAKCAQEA1/);
  });

  test.each([
    ['in a shell', String.raw`'it'\''s_a "p.w|d"*1#2'`, `'***'`],
    ['in a shell, in JSON', JSON.stringify(String.raw`it'\''s_a "p.w|d"*1#2`), '"***"'],
    ['in SQL', `'it''s_a "p.w|d"*1#2'`, `'***'`],
    ['in a table', `"it's_a ""p.w|d""*1#2"`, '"***"'],
    ['in an expression', String.raw`it's_a "p\.w\|d"\*1#2`, '***'],
    ['in Markdown', String.raw`it's\_a "p\.w\|d"\*1\#2`, '***'],
  ])('inside quotes and before signs: %s', (_, text, shown) => {
    expect(masker(`it's_a "p.w|d"*1#2`).text(text)).toBe(shown);
  });

  test('two layers of escapes, and three', () => {
    for (const [first, one] of Object.entries(escapes)) {
      for (const [second, two] of Object.entries(escapes)) {
        for (const secret of [secrets.plain, secrets.odd, secrets.wide]) {
          expect(masker(secret).text(`a ${two(one(secret))} b`), `${first}, then ${second}`).toBe('a *** b');
          expect(masker(secret).text(`a ${everyByte(two(one(secret)))} b`), `${first}, ${second}, every byte`).toBe(
            'a *** b',
          );
        }
      }
    }
  });

  test('any mixture of escapes', () => {
    const ways = Object.values(escapes);
    const texts = fc
      .string({ unit: 'grapheme', minLength: 4, maxLength: 40 })
      .filter((text) => text.trim().length >= 8 && text.isWellFormed() && !/[\\%&;\n]/.test(text));
    const pieces = fc.array(fc.tuple(fc.nat(10), fc.nat(ways.length - 1)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(texts, pieces, (secret, cuts) => {
        let rest = Array.from(secret);
        const written = cuts
          .map(([length, way]) => {
            const piece = rest.slice(0, length + 1).join('');
            rest = rest.slice(length + 1);
            return piece === '' ? '' : (ways[way]?.(piece) ?? piece);
          })
          .join('');
        // A form writes a blank as another sign than all others do.
        if (/ /.test(secret) && written.includes('+')) return;
        expect(masker(secret).text(`<<${written}${rest.join('')}>>`)).toMatch(/^<<\*+>>$/);
      }),
      { numRuns: 200 },
    );
  });

  test('texts without a secret stay as they are', () => {
    const ways = Object.values({ ...escapes, ...codes });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(ways.length - 1), (text, way) => {
        const written = text.isWellFormed() ? (ways[way]?.(text) ?? text) : text;
        expect(masker('hunter22-correct', 'correct horse').text(written)).toBe(written);
      }),
      { numRuns: 200 },
    );
  });

  test('what stands around a secret stays', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 80 }),
        fc.string({ maxLength: 80 }),
        fc.constantFrom(...Object.values(escapes)),
        (before, after, write) => {
          const [left, right] = [write(before), write(after)];
          expect(masker('hunter22-correct').text(`${left}|${write('hunter22-correct')}|${right}`)).toBe(
            `${left}|***|${right}`,
          );
        },
      ),
    );
  });
});

describe('a secret address', () => {
  const secret = 'HTTPS://Hooks.Example.COM:443/in/T0/../T1/a b?Token=x y&n=1#top';
  const url = new URL(secret);
  test.each([
    ['as it was given', secret],
    ['as the parser writes it', url.href],
    ['without what servers are not told', `${url.origin}${url.pathname}${url.search}`],
    ['with its port', `https://hooks.example.com:443${url.pathname}${url.search}`],
    ['its path and query', `GET ${url.pathname}${url.search} HTTP/1.1`],
    ['its path', `path ${url.pathname}`],
    ['its path as it is read', `path ${decodeURIComponent(url.pathname)}`],
    ['in a query', `https://x.example/?to=${encodeURIComponent(url.href)}`],
    ['in a query of a query', `?to=${encodeURIComponent(`https://x.example/?to=${encodeURIComponent(url.href)}`)}`],
    ['in a page', `<a href="${url.href.replaceAll('&', '&amp;')}">`],
  ])('%s', (_, text) => {
    const shown = masker(secret).text(text);
    expect(shown).toContain('***');
    expect(shown).not.toMatch(/T1|x.?y|Token/);
  });

  test('with a query: values under telling keys and long ones are hidden where they stand alone', () => {
    const known = masker('https://hooks.example.com/in?token=ab12cd34&chat=4711&room=0123456789abcdef');
    expect(known.text('ab12cd34 in 4711: 0123456789abcdef')).toBe('*** in 4711: ***');
  });

  test('with a password: that is hidden wherever it stands, the name of the database is not', () => {
    const known = masker('postgres://ada:p%40ss-w0rd@db.example:5432/orders');
    expect(known.text('password p@ss-w0rd for ada on orders, /orders')).toBe('password *** for ada on orders, /orders');
    expect(known.text('p%40ss-w0rd, postgres://db.example:5432/orders')).toBe('***, ***');
  });
});

describe('an address that shows what lets somebody in', () => {
  test.each([
    ['https://x.example/a?token=ab12&n=1', 'https://x.example/a?token=***&n=1'],
    ['/a?n=1&access_token=ab12#top', '/a?n=1&access_token=***#top'],
    ['GET https://x.example/?api_key=ab%2012 answered 200', 'GET https://x.example/?api_key=*** answered 200'],
    ['?apiKey=ab12, ?X-Api-Key=ab12&x', '?apiKey=*** ?X-Api-Key=***&x'],
    ['?sig=aB%2F1%3D&se=2030', '?sig=***&se=2030'],
    ['?X-Amz-Date=2030&X-Amz-Signature=0a1b2c', '?X-Amz-Date=2030&X-Amz-Signature=***'],
    ['https://x.example/back#access_token=ab12&state=1', 'https://x.example/back#access_token=***&state=1'],
    ['"see https://x.example/?password=ab12" and more', '"see https://x.example/?password=***" and more'],
    ['<a href="/?n=1&amp;token=ab12">', '<a href="/?n=1&amp;token=***">'],
    [String.raw`{"next":"/?n=1\u0026token=ab12"}`, String.raw`{"next":"/?n=1\u0026token=***"}`],
    ['/go?to=https%3A%2F%2Fx.example%2F%3Ftoken%3Dab12', '/go?to=https%3A%2F%2Fx.example%2F%3Ftoken%3D***'],
    ['/go?to=https://x.example/?token=ab12&n=1', '/go?to=https://x.example/?token=***&n=1'],
    ['?token=${env:TOKEN}&key={{key}}', '?token=${env:TOKEN}&key={{key}}'],
    ['?page_token=ab12&sort_key=name&design=a&monkey=b', '?page_token=ab12&sort_key=name&design=a&monkey=b'],
    ['token=ab12 & more', 'token=ab12 & more'],
  ])('%s', (text, shown) => {
    expect(new Masker().text(text)).toBe(shown);
  });
});

describe('a secret number', () => {
  test('in texts, but not in longer numbers', () => {
    const known = new Masker();
    known.add(48_151_623);
    known.add(-27.25);
    expect(known.text('pin 48151623, id48151623x, 148151623, 481516230, {"a":48151623} -27.25')).toBe(
      'pin ***, id***x, 148151623, 481516230, {"a":***} ***',
    );
    expect(known.text(`${base64('pin=48151623')} ${everyByte('48151623')}`)).toMatch(/^\S*\*\*\*\S* \*\*\*$/);
  });
  test('as a value, also where the secret was a text', () => {
    const known = masker('48151623');
    known.add(1234);
    expect(recordable({ a: 48_151_623, b: [1234, 12_345], c: 12n, d: 48_151_623n }, known)?.json).toEqual({
      a: '***',
      b: ['***', 12_345],
      c: '12',
      d: '***',
    });
    expect(recordable(1234, known)?.json).toBe('***');
  });

  test('a text that was shown is hidden once it is known to be secret', () => {
    const known = masker();
    const record = { kind: 'answer', hunter22: 'hunter22' };
    expect(recordable(record, known)?.json).toEqual(record);
    known.add('hunter22');
    expect(recordable(record, known)?.json).toEqual({ kind: 'answer', '***': '***' });
  });
  test('short ones are left alone', () => {
    const known = new Masker();
    known.add(123);
    expect(known.text('123')).toBe('123');
  });
});

test('all that stands in a secret list or object', () => {
  const known = new Masker();
  const loop: Record<string, unknown> = { user: 'adalovelace', deep: [{ pin: 4815 }, null, true] };
  loop['self'] = loop;
  known.add(loop);
  expect(known.text('adalovelace 4815 true')).toBe('*** *** true');
});

/** A quadratic scan of these takes half a minute and more. */
test.each([
  'a://a:a@',
  'a://',
  '://:@',
  'a.',
  'eyJ-',
  'eyJaaaaaaaaaa.',
  '-----BEGIN PRIVATE KEY-----',
  '\\',
  '\\u',
  '%25',
  '&#',
  `${'A'.repeat(76)}\n`,
  'hunter2',
  'https://hooks.',
  'xoxb-',
  'a ',
  '?token=',
  '&token=a',
])('300,000 characters of %j, in a time that grows with them', (piece) => {
  const known = masker('hunter22', 'hunterhunterhunter');
  const text = piece.repeat(Math.ceil(300_000 / piece.length));
  const began = process.cpuUsage();
  known.text(`${text}${' @://'}`);
  known.head(text, 200_000);
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(5);
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
  test('a key such as `__proto__` is kept', () => {
    const answer = JSON.parse(`{"__proto__": {"a": 1}, "text": "${'x'.repeat(100_000)}"}`) as unknown;
    expect(JSON.stringify(recordable(answer, masker())?.json)).toContain('"__proto__":{"a":1}');
  });
  test('what is too large keeps its structure: texts are cut with a mark, no key is lost or emptied', () => {
    const answer = {
      text: 'y'.repeat(300_000),
      status: 200,
      headers: { etag: 'abc', cookie: 'x'.repeat(5000) },
      json: { items: [{ id: 1, note: 'z'.repeat(90_000) }, { id: 2 }], last: true },
      short: 'whole',
    };
    const json = recordable(answer, masker())?.json as typeof answer;
    expect(json).toMatchObject({
      status: 200,
      headers: { etag: 'abc', cookie: 'x'.repeat(5000) },
      json: { items: [{ id: 1 }, { id: 2 }], last: true },
      short: 'whole',
    });
    const kept = /^y+/.exec(json.text)?.[0].length ?? 0;
    expect(json.text).toBe(`${'y'.repeat(kept)}… (${300_000 - kept} more characters)`);
    expect(json.json.items[0]?.note).toMatch(/^z{1000,}… \(\d+ more characters\)$/);
  });
  test('a list that is too long says how much was left out, objects behind it are there', () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, name: `row ${id} with ä`, tags: [1, 2, 3] }));
    const kept = recordable(rows, masker());
    const last = kept?.json as unknown[];
    expect(kept?.truncated).toBe(true);
    expect(last.slice(0, -1)).toEqual(rows.slice(0, last.length - 1));
    expect(last.at(-1)).toBe(`… (${rows.length - last.length + 1} more)`);
    // As many as there is room for, by an estimate that is never below what it takes.
    const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
    expect(bytes(last)).toBeLessThanOrEqual(RESULT_LIMIT);
    expect(bytes(last)).toBeGreaterThan(0.85 * RESULT_LIMIT);
    const json = recordable({ list: Array.from({ length: 50_000 }, () => 'item'), after: { ok: true } }, masker())
      ?.json as { list: string[]; after: unknown };
    expect(json.after).toEqual({ ok: true });
    expect(json.list.at(-1)).toBe(`… (${50_000 - json.list.length + 1} more)`);
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, { a: 1 }]));
    const keys = recordable(many, masker())?.json as Record<string, unknown>;
    expect(keys['…']).toBe(`${50_000 - Object.keys(keys).length + 1} more keys`);
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
