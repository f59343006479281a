import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { MakeWorld } from './world.ts';

/** `old.txt` and `new.txt`, which differ in a line; the folders `tree-a` and `tree-b`. */
export const world: MakeWorld = async ({ root }) => {
  const files = {
    'old.txt': 'one\ntwo\nthree\n',
    'new.txt': 'one\nzwei\nthree\n',
    'tree-a/a.txt': 'a',
    'tree-a/b.txt': 'b',
    'tree-a/same.txt': 'same',
    'tree-b/b.txt': 'B',
    'tree-b/new/c.txt': 'c',
    'tree-b/same.txt': 'same',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return { [Symbol.asyncDispose]: async () => undefined };
};
