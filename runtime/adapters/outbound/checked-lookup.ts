import { isIPv6, type LookupFunction } from 'node:net';

/** A lookup for connections that gives the addresses of a host that `check` has let through. */
export function checkedLookup(check: (host: string) => Promise<readonly string[]>): LookupFunction {
  return (host, { all, family }, callback) => {
    check(host).then(
      (addresses) => {
        const found = addresses
          .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
          .filter((one) => (family !== 4 && family !== 6 ? true : one.family === family));
        const [first] = found;
        if (!first) callback(Object.assign(new Error(`no such address of ${host}`), { code: 'ENOTFOUND' }), []);
        else if (all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
