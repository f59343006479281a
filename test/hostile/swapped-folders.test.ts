import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

let root = '';
const at = (...names: string[]): string => join(root, ...names);
/** As many files as take longer to remove than one turn of the event loop. */
const MANY = 3000;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-swap-'));
  mkdirSync(at('victim'));
  for (let index = 0; index < MANY; index += 1) writeFileSync(at('victim', `file-${index}`), 'precious');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const whole = Array.from({ length: MANY }, (_, index) => `file-${index}`).sort();

/** Puts a link to the victim in the place of a folder as soon as something in it is gone. */
function swapSoon(folder: string): () => boolean {
  const before = readdirSync(folder).length;
  let swapped = false;
  const look = (): void => {
    const now = readdirSync(folder).length;
    if (now === before) return void setImmediate(look);
    renameSync(folder, `${folder}.away`);
    symlinkSync(at('victim'), folder);
    swapped = true;
  };
  setImmediate(look);
  return () => swapped;
}

describe.runIf(process.platform === 'linux')('a folder that is swapped for a link meanwhile', () => {
  const { files } = nodeHost();

  it('leads the removal of a tree nowhere else', async () => {
    mkdirSync(at('tree', 'inner'), { recursive: true });
    for (const name of whole) writeFileSync(at('tree', 'inner', name), 'x');
    const isSwapped = swapSoon(at('tree', 'inner'));
    await files.removeTree(at('tree')).catch(() => undefined);
    expect(isSwapped()).toBe(true);
    expect(readdirSync(at('victim')).sort()).toEqual(whole);
  });
});

describe('the removal of a tree', () => {
  const { files } = nodeHost();

  it('removes links as links, names that are no text, and what may only be passed through', async () => {
    mkdirSync(at('tree', 'a', 'b', 'c'), { recursive: true });
    execFileSync(
      'sh',
      [
        '-c',
        'ln -s ../victim tree/link; ln -s nowhere tree/a/broken; touch "tree/a/$(printf \'\\377\')"; mkfifo tree/a/b/pipe',
      ],
      { cwd: root },
    );
    await files.removeTree(at('tree'));
    expect(readdirSync(root)).toEqual(['victim']);
    expect(readdirSync(at('victim')).sort()).toEqual(whole);
    execFileSync('sh', ['-c', 'ln -s victim link'], { cwd: root });
    await files.removeTree(at('link'));
    expect(readdirSync(root)).toEqual(['victim']);
    await expect(files.removeTree(at('nothing'))).rejects.toMatchObject({ code: 'ENOENT', path: at('nothing') });
  });

  it('of two thousand files and a deep one ends', async () => {
    execFileSync(
      'sh',
      [
        '-c',
        'mkdir -p tree/$(printf "d/%.0s" $(seq 100)); for i in $(seq 4); do mkdir tree/$i; (cd tree/$i && seq 500 | xargs touch); done',
      ],
      { cwd: root },
    );
    await files.removeTree(at('tree'));
    expect(readdirSync(root)).toEqual(['victim']);
  }, 20_000);
});
