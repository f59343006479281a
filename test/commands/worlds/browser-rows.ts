import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** A list of rows in JSON. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(join(root, 'rows.json'), '[{ "id": 1, "user": "ann" }, { "id": 2, "user": "ben" }]');
  return { [Symbol.asyncDispose]: async () => undefined };
};
