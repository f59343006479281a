import { describe, expect, it, test } from 'vitest';

import { withPlaceholders } from '#stdlib/api/checks/load/placeholders.ts';
import { checkShape } from '#stdlib/api/mock/http/check-shape.ts';
import { fillTemplate } from '#stdlib/api/template.ts';
import { resolveAddress } from '#stdlib/http/address.ts';
import { secretsIn } from '#stdlib/http/headers.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';

describe('an address', () => {
  it('has no login where it names neither user nor password', () => {
    expect(resolveAddress('http://shop.test/a', undefined).login).toBeUndefined();
  });

  it.each([
    ['http://ann@shop.test/', ['ann', '']],
    ['http://:key@shop.test/', ['', 'key']],
    ['http://ann:k%20y@shop.test/', ['ann', 'k y']],
  ] as const)('gives the login of %s, which then stands in it no more', (text, login) => {
    const read = resolveAddress(text, undefined);
    expect(read.login).toEqual(login);
    expect(read.url.href).toBe('http://shop.test/');
  });
});

test('cookies of a header are no secret as a whole, a token is one without its scheme', () => {
  expect(secretsIn({ cookie: 'theme=dark; seen=yes', authorization: 'Bearer abcdef' })).toEqual(['abcdef']);
});

test('brackets inside of texts nest nothing', () => {
  const text = '['.repeat(5_000);
  expect(parseJson(JSON.stringify({ text, said: `"${text}` }))).toEqual({
    json: { text, said: `"${text}` },
  });
});

test('what nests too deep behind a text is found', () => {
  const deep = `${'['.repeat(600)}${']'.repeat(600)}`;
  expect(parseJson(`["${'a'.repeat(1_000)}",${deep}]`)).toEqual({ error: 'nested deeper than 512 levels' });
});

test('null in a longer text is empty, as a whole text it stays null', () => {
  const filling = { value: (name: string) => (name === 'none' ? null : 7) };
  expect(fillTemplate(['a {{none}} b', '{{none}}', '{{count}} pieces'], filling)).toEqual(['a  b', null, '7 pieces']);
});

test.each([
  [0, [{ at: [], expected: '1..3' }]],
  [1, []],
  [3, []],
  [4, [{ at: [], expected: '1..3' }]],
])('%d is held to both ends of a range', (value, findings) => {
  expect(checkShape(value, { minimum: 1, maximum: 3 })).toEqual(findings);
});

test('a request without headers and login gets no headers in a load script', () => {
  const request = { request_method: 'GET', request_url: 'http://shop.test/', request_name: 'home' };
  expect(withPlaceholders(request as unknown as Parameters<typeof withPlaceholders>[0])).not.toHaveProperty('headers');
});
