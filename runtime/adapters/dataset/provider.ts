import { resolve } from 'node:path';

import type { Provider } from '#runtime/kernel/ports.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { readRows } from './read-rows.ts';

export const provider: Provider<'datasets'> = {
  open: ({ host, folders }) => ({
    rows: async (source) => {
      const rows: JsonObject[] = [];
      for await (const row of readRows(source, resolve(folders.cwd, source.path), host)) rows.push(row);
      return rows;
    },
  }),
};
