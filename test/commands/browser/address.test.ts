import { expect, test } from 'vitest';

import { addressFor } from '#stdlib/browser/engines/shared/address.ts';

function address(url: string, baseUrl?: string, schemes?: readonly string[]): string {
  const asked: string[] = [];
  const scope = {
    step: {
      id: '#0',
      command: 'WR_to_url',
      attempt: 1,
      statusJudged: false,
      ...(baseUrl === undefined ? {} : { baseUrl }),
    },
    require: (gate: string) => void asked.push(gate),
  };
  const whole = addressFor(url, scope, { gates: {}, ...(schemes ? { browser: { schemes } } : {}) });
  return asked.length === 0 ? whole : `${asked.join()} ${whole}`;
}

test('absolute addresses stay as they are', () => {
  for (const url of ['https://shop.test/a?b#c', 'data:text/html,<p>', 'about:blank', 'file:///tmp/x.html'])
    expect(address(url)).toBe(url);
});

test('relative ones are completed by the base address', () => {
  expect(address('/cart', 'https://shop.test/sub/page')).toBe('https://shop.test/cart');
  expect(address('cart?x=1', 'https://shop.test/sub/')).toBe('https://shop.test/sub/cart?x=1');
  expect(() => address('/cart')).toThrow('"/cart" is a relative address, and there is no base address.');
});

test('a host with a port is no address', () => {
  for (const url of ['localhost:8080', 'shop.test:80/cart', 'http://'])
    expect(() => address(url, 'https://shop.test/')).toThrow('is no address that a browser can open');
});

test('the configuration restricts schemes, of completed addresses too', () => {
  expect(address('/x', 'https://shop.test/', ['https'])).toBe('https://shop.test/x');
  expect(() => address('file:///etc/passwd', undefined, ['https', 'http'])).toThrow(
    'Addresses that begin with "file:" may not be opened here; allowed are http, https.',
  );
  expect(() => address('/x', 'http://shop.test/', ['https'])).toThrow('"http:"');
});

test('a script in an address goes through the gate of scripts', () => {
  expect(address('JavaScript:alert(1)')).toBe('script JavaScript:alert(1)');
});
