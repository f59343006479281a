import { expect, it } from 'vitest';

import { resolve_http_url, validate_http_url } from '#compiler/library/files.ts';

it('gives back an address that may be asked', async () => {
  expect(await validate_http_url('https://1.1.1.1/a?b#c')).toBe('https://1.1.1.1/a?b#c');
  expect(await validate_http_url('http://localhost:8080/', { allow_private: true })).toBe('http://localhost:8080/');
});

it.each([
  'http://localhost/',
  'http://[::ffff:10.0.0.1]/',
  'http://0x7f.1/',
  'ftp://1.1.1.1/',
  'http://me:secret@1.1.1.1/',
  'nothing',
])('refuses %s', async (url) => {
  await expect(validate_http_url(url)).rejects.toMatchObject({ name: 'UrlValidationException' });
});

it('never lets the addresses of cloud metadata in', async () => {
  await expect(validate_http_url('http://169.254.169.254/', { allow_private: true })).rejects.toMatchObject({
    name: 'UrlValidationException',
    facts: { code: 'SVC88001' },
  });
});

it('tells the addresses that were checked', async () => {
  expect(await resolve_http_url('https://1.1.1.1/a')).toEqual({ url: 'https://1.1.1.1/a', addresses: ['1.1.1.1'] });
  const { addresses } = await resolve_http_url('http://localhost/', { allow_private: true });
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(['127.0.0.1', '::1']).toContain(address);
  await expect(resolve_http_url('http://localhost/')).rejects.toMatchObject({ name: 'UrlValidationException' });
});
