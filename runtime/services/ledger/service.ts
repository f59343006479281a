import { resolve } from 'node:path';

import type { Provider } from '#runtime/kernel/ports.ts';

import { JsonLedger } from './json-ledger.ts';
import { SqliteLedger } from './sqlite-ledger.ts';

const SQLITE = /\.(?:sqlite3?|db)$/i;

export const provider: Provider<'ledger'> = {
  open: ({ host, folders, port, release }) => {
    const kept = new Map<string, SqliteLedger>();
    release(() => {
      for (const ledger of kept.values()) ledger.close();
    });
    const openAt = async (path: string): Promise<JsonLedger | SqliteLedger> => {
      const full = resolve(folders.cwd, path);
      if (!SQLITE.test(path)) return new JsonLedger(full, host, await port('fileLocks'));
      const sqlite = await port('sqlite');
      const ledger = kept.get(full) ?? new SqliteLedger(full, host, sqlite);
      kept.set(full, ledger);
      return ledger;
    };
    return {
      append: async (path, run, signal) => (await openAt(path)).append(run, signal),
      runs: async (path) => (await openAt(path)).runs(),
      clear: async (path) => (await openAt(path)).clear(),
    };
  },
};
