import { isIP } from 'node:net';

import * as fail from '#schemas/generated/failures.ts';

/**
 * The address of a service, as a call or the environment gives it: http or https, without user and password. `secret`:
 * what is sent there can be used by whoever reads it, so that plain http leads to this machine only.
 */
export function requireSafeAddress(backend: string, text: string, { secret = false } = {}): URL {
  const url = URL.parse(text);
  const wrong = (reason: string): Error => fail.storageLoginForm({ backend, reason });
  if (!url || !/^https?:$/.test(url.protocol)) throw wrong('the address is no http or https address');
  if (url.username !== '' || url.password !== '') throw wrong('the address holds a login');
  if (secret && url.protocol === 'http:' && !isHere(url.hostname))
    throw wrong('a token would go over plain http, where others can read it');
  return url;
}

function isHere(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
}
