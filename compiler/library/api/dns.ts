import { AsyncLocalStorage } from 'node:async_hooks';

const active = new AsyncLocalStorage<Readonly<Record<string, string>>>();

/** Addresses by host name that hold in this chain of calls; undefined: name servers alone are asked. */
export function namesHere(): Readonly<Record<string, string>> | undefined {
  return active.getStore();
}

/**
 * Yields what `scope` yields; requests that it makes by functions of this door go to the listed addresses, all other
 * chains of calls resolve as before. Host header and certificate are still those of the name.
 */
export function dns_override<Result>(mapping: Readonly<Record<string, string>>, scope: () => Result): Result {
  return active.run({ ...active.getStore(), ...mapping }, scope);
}
