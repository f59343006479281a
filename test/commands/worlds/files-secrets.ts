import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** The folder `secret-files` with the secret `password`, and `data.txt` beside it. */
export const world: MakeWorld = async ({ root }) => {
  await mkdir(join(root, 'secret-files'));
  await writeFile(join(root, 'secret-files/password'), 'open sesame\n', { mode: 0o600 });
  await writeFile(join(root, 'data.txt'), 'abc');
  return { [Symbol.asyncDispose]: async () => undefined };
};
