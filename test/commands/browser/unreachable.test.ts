import { describe, expect, test } from 'vitest';

import { unreachable } from '#stdlib/browser/engines/shared/unreachable.ts';

describe('a page that could not be fetched', () => {
  test.for([
    ['ERR_NAME_NOT_RESOLVED', 'SVC81025'],
    ['NS_ERROR_UNKNOWN_HOST', 'SVC81025'],
    ['ERR_INTERNET_DISCONNECTED', 'SVC81022'],
    ['ERR_CONNECTION_REFUSED', 'SVC81022'],
    ['ERR_CERT_AUTHORITY_INVALID', 'SVC81026'],
    ['MOZILLA_PKIX_ERROR_SELF_SIGNED_CERT', 'SVC81026'],
  ] as const)('for %s is %s', ([reason, code]) => {
    const { facts, message } = unreachable('https://shop.example/', reason);
    expect(facts.code).toBe(code);
    expect(message).toContain(reason);
  });
  test("is told without the prefix that only some of the browser's own words have", () => {
    const { message } = unreachable('https://shop.example/', 'net::ERR_CERT_DATE_INVALID');
    expect(message).toBe(
      'The browser does not trust the certificate of "https://shop.example/": ERR_CERT_DATE_INVALID',
    );
  });
});
