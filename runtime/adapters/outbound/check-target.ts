import { isIP } from 'node:net';

import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import { kindOfAddress } from './address-kind.ts';
import type { CheckedTarget } from './port.ts';

export interface CheckRules {
  readonly lookup: Host['lookup'];
  /** Private networks and this machine may be asked. */
  readonly allowPrivate: boolean;
  readonly signal?: AbortSignal;
}

/** An http or https address that may be asked, with the addresses to connect to. Fails with UrlValidationException. */
export async function checkUrl(text: string, rules: CheckRules): Promise<CheckedTarget> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.hostname !== '' &&
    url.username === '' &&
    url.password === '';
  if (!isPlain) throw fail.outboundAddressForm({ url: withoutLogin(text) });
  return { url, addresses: await checkHost(url.hostname, rules) };
}

/** One address among several that may not be asked refuses the host: the connection could go there. */
export async function checkHost(host: string, rules: CheckRules): Promise<readonly string[]> {
  const name = host.startsWith('[') ? host.slice(1, -1) : host;
  const addresses = isIP(name) === 0 ? await resolve(name, rules) : [name];
  for (const address of addresses) {
    const found = kindOfAddress(address);
    if (found.kind === 'public' || (found.kind === 'private' && rules.allowPrivate)) continue;
    const about = { host: name, address, what: found.what };
    throw found.kind === 'never' ? fail.outboundNever(about) : fail.outboundPrivate(about);
  }
  return addresses;
}

async function resolve(name: string, { lookup, signal }: CheckRules): Promise<readonly string[]> {
  const addresses = await unlessAborted(lookup(name), signal).catch((cause: unknown) => {
    if (signal?.aborted) throw signal.reason;
    throw fail.outboundUnresolved({ host: name, cause });
  });
  if (addresses.length === 0) throw fail.outboundUnresolved({ host: name });
  return addresses;
}

/** A lookup cannot be stopped, only no longer be waited for. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((settle, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(settle, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Address without user and password, for messages. */
function withoutLogin(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//');
}
