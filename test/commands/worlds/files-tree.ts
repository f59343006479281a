import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** A few files and folders: `data.txt` holds `abc`; `twins` has two files of one name. */
export const world: MakeWorld = async ({ root }) => {
  const files = {
    'data.txt': 'abc',
    'pictures/1.png': 'one',
    'pictures/2.png': 'two',
    'pictures/old/10.png': 'ten',
    'twins/a/note.txt': 'a',
    'twins/b/note.txt': 'b',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  await mkdir(join(root, 'copies'));
  return { [Symbol.asyncDispose]: async () => undefined };
};
