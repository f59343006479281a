import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** A file of variables for the environment `staging`. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(
    join(root, '.env.staging'),
    '# staging\nexport SHOP_URL="https://stage.example/"\nSHOP_TOKEN=t0k3n-0123456789\n',
  );
  return { [Symbol.asyncDispose]: async () => undefined };
};
