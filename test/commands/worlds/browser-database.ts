import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { loadSqlite } from '#runtime/adapters/sqlite/load-sqlite.ts';

import type { MakeWorld } from './world.ts';

/** `shop.db` with three orders. */
export const world: MakeWorld = ({ root }) => {
  const path = join(root, 'shop.db');
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  database.exec(
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, state TEXT); INSERT INTO orders VALUES (1, 'tea', 'open'), (2, 'cup', 'open'), (3, 'pot', 'sent'); CREATE TABLE goods (id INTEGER)",
  );
  database.close();
  return Promise.resolve({ [Symbol.asyncDispose]: () => rm(path) });
};
