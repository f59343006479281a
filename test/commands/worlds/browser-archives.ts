import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

const archive = (...statuses: number[]): string =>
  JSON.stringify({
    log: {
      entries: statuses.map((status) => ({
        request: { method: 'GET', url: 'https://shop.example/cart' },
        response: { status },
      })),
    },
  });

/** Two network archives: the second has a failed request, and one more. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(join(root, 'one.har'), archive(200));
  await writeFile(join(root, 'two.har'), `\uFEFF${archive(500, 200)}`);
  return { [Symbol.asyncDispose]: async () => undefined };
};
