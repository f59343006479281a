import { isIPv6, type LookupFunction } from 'node:net';

import type { Pins } from './connection-pool.ts';

/** Answers from addresses that were checked before, so that no second question can have another answer. */
export function pinnedLookup(pins: Pins): LookupFunction {
  return (host, { all, family }, callback) => {
    const wanted = (pins.get(host) ?? [])
      .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
      .filter((one) => (family !== 4 && family !== 6 ? true : one.family === family));
    const [first] = wanted;
    if (!first) callback(Object.assign(new Error(`no checked address of ${host}`), { code: 'ENOTFOUND' }), []);
    else if (all) callback(null, wanted);
    else callback(null, first.address, first.family);
  };
}
