import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { actionProgram } from '../action-program.ts';
import type { Figure } from '../figure.ts';
import type { Run } from '../measure.ts';
import { inMemory, scratch } from '../scratch.ts';

const FILES = 20_000;
const FOLDERS = 200;

function makeTree(): { readonly root: string; readonly src: string; clear(): void } {
  const { folder: root, remove } = scratch(inMemory);
  const src = join(root, 'src');
  for (let index = 0; index < FOLDERS; index += 1)
    mkdirSync(join(src, `d${index % 10}`, `d${index}`), { recursive: true });
  // A quarter of them are copies of others.
  for (let index = 0; index < FILES; index += 1)
    writeFileSync(
      join(src, `d${index % 10}`, `d${index % FOLDERS}`, `file-${index}.txt`),
      Buffer.alloc(100 + ((index * 7919) % 8000), index % (FILES * 0.75)),
    );
  return { root, src, clear: remove };
}

const ours = (folder: string, src: string, dst: string): Run => actionProgram(folder, ['FA_sync_dir', { src, dst }]);

export const figures: readonly Figure[] = [
  {
    name: 'FA_sync_dir, 20,000 files, the first time',
    beside: 'rsync -a',
    aim: 0.8,
    memoryAim: 20,
    runs: 7,
    prepare(folder) {
      const { root, src, clear } = makeTree();
      const [mine, theirs] = [join(root, 'mine'), join(root, 'theirs')];
      const fresh = (dst: string) => ({ before: () => rmSync(dst, { recursive: true, force: true }) });
      return {
        subject: { ...ours(folder, src, mine), ...fresh(mine) },
        floor: { program: 'rsync', args: ['-a', `${src}/`, `${theirs}/`], ...fresh(theirs) },
        close: clear,
      };
    },
  },
  {
    name: 'FA_sync_dir, 20,000 files, nothing changed',
    beside: 'rsync -a',
    aim: 1.5,
    memoryAim: 20,
    prepare(folder) {
      const { root, src, clear } = makeTree();
      return {
        subject: ours(folder, src, join(root, 'mine')),
        floor: { program: 'rsync', args: ['-a', `${src}/`, `${join(root, 'theirs')}/`] },
        close: clear,
      };
    },
  },
];
