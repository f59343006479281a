import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** Action files with names of commands that were used before, in the folder `tests`. */
export const world: MakeWorld = async ({ root }) => {
  await mkdir(join(root, 'tests/more'), { recursive: true });
  await writeFile(join(root, 'tests/a.json'), '[["WR_quit"]]\n');
  await writeFile(join(root, 'tests/more/b.yaml'), '# keep me\n- [WR_quit_all] # and me\n');
  return { [Symbol.asyncDispose]: async () => undefined };
};
