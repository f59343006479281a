import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** Action files to run: `first.yaml` stores 7 under `n`, `second.json` reads it. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(join(root, 'first.yaml'), 'actions:\n- AT_set_variable: { name: n, value: 7 }\n');
  await writeFile(join(root, 'second.json'), '{"svc": [["AT_get_variable", {"name": "n"}]]}\n');
  return { [Symbol.asyncDispose]: async () => undefined };
};
