import { resolve } from 'node:path';

import type { Provider } from '#runtime/kernel/ports.ts';

import { JsonLedger } from './json-ledger.ts';
import type { Ledger } from './port.ts';
import { SqliteLedger } from './sqlite-ledger.ts';

const SQLITE = /\.(?:sqlite3?|db)$/i;

export const provider: Provider<'ledger'> = {
  open: ({ host, folders, port }) => {
    const openAt = async (path: string): Promise<JsonLedger | SqliteLedger> => {
      const full = resolve(folders.cwd, path);
      return SQLITE.test(path)
        ? new SqliteLedger(full, host, await port('sqlite'))
        : new JsonLedger(full, host, await port('fileLocks'));
    };
    const ledger: Ledger = {
      append: async (path, run, signal) => (await openAt(path)).append(run, signal),
      runs: async (path) => (await openAt(path)).runs(),
      clear: async (path) => (await openAt(path)).clear(),
    };
    return ledger;
  },
};
