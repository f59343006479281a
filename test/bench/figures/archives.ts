import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { actionProgram, type Action } from '../action-program.ts';
import { textSize } from '../big-files.ts';
import type { Figure } from '../figure.ts';
import { drawing, manyFiles, prose } from '../many-files.ts';

/** A file of text in a folder. What repeats is farther away than any of the programs looks back. */
function bigFolder(folder: string): void {
  const draw = drawing();
  const blocks = Array.from({ length: 64 }, () => `${prose((1 << 20) - 1, draw)}\n`);
  mkdirSync(join(folder, 'in'));
  const file = openSync(join(folder, 'in', 'text'), 'w');
  const rounds = process.env['SVC_TEST_FULL'] ? 16 : 4;
  for (let round = 0; round < rounds; round += 1) for (const block of blocks) writeSync(file, block);
  closeSync(file);
}

interface Work {
  readonly name: string;
  readonly beside: string;
  readonly aim: number;
  readonly make: (folder: string) => void;
  readonly action: Action;
  readonly peer: readonly [program: string, ...args: string[]];
  /** Archive that both write: removed before each run, since `zip` would add to what is there. */
  readonly target: string;
  readonly runs: number;
}

const many = (folder: string): void => manyFiles(join(folder, 'in'));
const zip = {
  beside: '`zip -rq`',
  aim: 0.6,
  action: ['FA_zip_dir', { dir_we_want_to_zip: 'in', zip_name: 'ours.zip' }],
  peer: ['zip', '-rq', 'theirs.zip', 'in'],
  target: 'theirs.zip',
} as const;
const tar = {
  beside: '`tar` and `zstd -3 -T0`',
  aim: 1.2,
  action: ['FA_create_tar', { source: 'in', target: 'ours.tar.zst', compression: 'zst' }],
  peer: ['sh', '-c', 'tar -cf - in | zstd -q -f -3 -T0 -o theirs.tar.zst'],
  target: 'theirs.tar.zst',
} as const;

const works: readonly Work[] = [
  { ...zip, name: `zip of ${textSize}`, make: bigFolder, runs: 3 },
  { ...zip, name: 'zip of 20,000 files', make: many, runs: 3 },
  { ...tar, name: `tar and zstd of ${textSize}`, make: bigFolder, runs: 7 },
  { ...tar, name: 'tar and zstd of 20,000 files', make: many, runs: 7 },
];

/** Whole processes beside the programs that people use by hand; what they read is in the machine's memory. */
export const figures: readonly Figure[] = works.map(({ make, action, peer, target, ...facts }) => ({
  ...facts,
  memoryAim: 100,
  prepare(folder) {
    make(folder);
    const [name, ...args] = peer;
    return {
      subject: actionProgram(folder, action),
      floor: { program: name, args, cwd: folder, before: () => rmSync(join(folder, target), { force: true }) },
    };
  },
}));
