import { whenNeeded } from './when-needed.ts';

/** Asks the system as a connection would: its own table first, then its name servers. */
export function lookup(name: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    whenNeeded.names.lookup(name, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    );
  });
}
