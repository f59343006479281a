import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** `handlers.mjs` exports the handler `sum`. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(
    join(root, 'handlers.mjs'),
    'export const sum = ({ params }) => Number(params.a) + Number(params.b);\n',
  );
  return { [Symbol.asyncDispose]: async () => undefined };
};
