import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** `page.html.j2`, a template with a title. */
export const world: MakeWorld = async ({ root }) => {
  await writeFile(join(root, 'page.html.j2'), '<h1>{{ title }}</h1>\n');
  return { [Symbol.asyncDispose]: async () => undefined };
};
