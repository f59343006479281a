import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** Mock configurations: `shop.mock.yaml` is fine, `broken.mock.yaml` has a rule without a slash. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(join(root, 'shop.mock.yaml'), 'http:\n  routes:\n  - { rule: /ready, body: { up: true } }\n');
  await writeFile(join(root, 'broken.mock.yaml'), 'http:\n  routes:\n  - { rule: ready }\n');
  return { [Symbol.asyncDispose]: async () => undefined };
};
