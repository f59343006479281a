import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** `notes.txt` in UTF-8 with three lines, and `latin.txt`, which is not UTF-8. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(join(root, 'notes.txt'), 'buy: milk\ncafé: milk\nend\n');
  await writeFile(join(root, 'latin.txt'), Buffer.from('Grüße\n', 'latin1'));
  return { [Symbol.asyncDispose]: async () => undefined };
};
