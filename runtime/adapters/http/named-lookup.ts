import { isIPv6, type LookupFunction } from 'node:net';

import { addressOf } from '#schemas/types/listed-address.ts';

/** Answers for the names that are listed from the list, and asks `otherwise` for all others. */
export function namedLookup(names: Readonly<Record<string, string>>, otherwise: LookupFunction): LookupFunction {
  return (host, options, callback) => {
    const address = addressOf(host, names);
    if (address === undefined) return otherwise(host, options, callback);
    const family = isIPv6(address) ? 6 : 4;
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}
