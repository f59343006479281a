import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** `shop.json`, and `broken.json`, which is cut off. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(
    join(root, 'shop.json'),
    JSON.stringify({
      items: [
        { name: 'pen', price: 2.5 },
        { name: 'ink', price: 10 },
      ],
      hosts: { 'api.example.test': 'here' },
      a: {},
    }),
  );
  await writeFile(join(root, 'broken.json'), '{"a": ');
  return { [Symbol.asyncDispose]: async () => undefined };
};
