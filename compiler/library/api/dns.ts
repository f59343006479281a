import { AsyncLocalStorage } from 'node:async_hooks';

import type { SessionOptions } from '#compiler/engine/unit-session.ts';

const active = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Settings with the addresses that `dns_override` lists in this chain of calls. */
export function withNames<Options extends SessionOptions>(options: Options): Options {
  const names = active.getStore();
  const { settings } = options;
  return names === undefined ? options : { ...options, settings: { ...settings, dns: { ...settings?.dns, ...names } } };
}

/**
 * Yields what `scope` yields; requests that it makes by functions of this door go to the listed addresses, all other
 * chains of calls resolve as before. Host header and certificate are still those of the name.
 */
export function dns_override<Result>(mapping: Readonly<Record<string, string>>, scope: () => Result): Result {
  return active.run({ ...active.getStore(), ...mapping }, scope);
}
