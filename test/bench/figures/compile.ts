import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Amount, Figure } from '../figure.ts';
import { measure } from '../measure.ts';
import { floor, nothing, svc } from '../paths.ts';

const twoCommands = {
  actions: [
    ['FA_create_file', { file_path: 'out/a.txt', content: 'one' }],
    ['FA_copy_file', { source: 'out/a.txt', target: 'out/b.txt' }],
  ],
};

function compiled(folder: string): string {
  const file = join(folder, 'two.json');
  writeFileSync(file, JSON.stringify(twoCommands));
  mkdirSync(join(folder, 'out'), { recursive: true });
  execFileSync(process.execPath, [svc, 'compile', file, '-o', join(folder, 'dist'), '--minify'], {
    cwd: folder,
    stdio: 'ignore',
  });
  return join(folder, 'dist', 'two.mjs');
}

function many(
  folder: string,
  count: number,
): { readonly args: readonly string[]; readonly cwd: string; before(): void } {
  const sources = join(folder, 'sources');
  mkdirSync(sources);
  for (let index = 0; index < count; index += 1)
    writeFileSync(
      join(sources, `${index}.json`),
      JSON.stringify({ actions: [...twoCommands.actions, ['AT_set_variable', { name: 'number', value: index }]] }),
    );
  const out = join(folder, 'dist');
  return {
    args: [svc, 'compile', sources, '-o', out],
    cwd: folder,
    before: () => rmSync(out, { recursive: true, force: true }),
  };
}

export const figures: readonly (Figure | Amount)[] = [
  {
    name: 'compiled program with two FA commands',
    beside: 'node -e 0',
    aim: 1.5,
    runs: 21,
    prepare: (folder) => ({ subject: { args: [compiled(folder)], cwd: folder }, floor: nothing }),
  },
  {
    name: 'compiled program with two FA commands, minified',
    unit: 'KiB',
    aim: 80,
    wanted: 'at-most',
    amount: (folder) => Promise.resolve(statSync(compiled(folder)).size / 1024),
  },
  {
    name: 'svc compile of 1 file',
    beside: 'esbuild bundling an empty file',
    aim: 3,
    prepare(folder) {
      const empty = join(folder, 'empty.mjs');
      writeFileSync(empty, '');
      return { subject: many(folder, 1), floor: { args: [floor('bundle'), empty, join(folder, 'bundled')] } };
    },
  },
  {
    // A program is linked once for each set of commands: all of these have the same.
    name: 'svc compile of 200 files',
    unit: 'files a second',
    aim: 100,
    wanted: 'at-least',
    async amount(folder) {
      const run = many(folder, 200);
      const samples = [await measure(run), await measure(run), await measure(run)];
      return 200 / (Math.min(...samples.map(({ ms }) => ms)) / 1000);
    },
  },
];
