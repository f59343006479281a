import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { textSize } from '../big-files.ts';
import type { Figure } from '../figure.ts';
import { drawing, manyFiles, prose } from '../many-files.ts';
import type { Run } from '../measure.ts';
import { svc } from '../paths.ts';

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

/** A compiled program of one action. */
function program(folder: string, action: readonly [string, Readonly<Record<string, unknown>>]): Run {
  writeFileSync(join(folder, 'action.json'), JSON.stringify({ actions: [action] }));
  execFileSync(process.execPath, [svc, 'compile', 'action.json', '--out', 'program'], { cwd: folder, stdio: 'ignore' });
  return { program: process.execPath, args: ['program/action.mjs', '--record', 'record.jsonl'], cwd: folder };
}

interface Work {
  readonly name: string;
  readonly beside: string;
  readonly aim: number;
  readonly make: (folder: string) => void;
  readonly action: readonly [string, Readonly<Record<string, unknown>>];
  readonly peer: readonly [program: string, ...args: string[]];
  /** Of both: removed before each run, since `zip` would add to what is there. */
  readonly target: string;
  readonly runs: number;
}

const many = (folder: string): void => manyFiles(join(folder, 'in'));
const zip = { beside: '`zip -rq`', aim: 0.6, action: ['FA_zip_dir', { dir_we_want_to_zip: 'in', zip_name: 'ours.zip' }], peer: ['zip', '-rq', 'theirs.zip', 'in'], target: 'theirs.zip' } as const;
const tar = { beside: '`tar` and `zstd -3 -T0`', aim: 1.2, action: ['FA_create_tar', { source: 'in', target: 'ours.tar.zst', compression: 'zst' }], peer: ['sh', '-c', 'tar -cf - in | zstd -q -f -3 -T0 -o theirs.tar.zst'], target: 'theirs.tar.zst' } as const;

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
    return { subject: program(folder, action), floor: { program: name, args, cwd: folder, before: () => rmSync(join(folder, target), { force: true }) } };
  },
}));
