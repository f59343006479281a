import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';

import { call } from '../commands/call.ts';

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

describe.runIf(process.platform === 'linux')('an archive', () => {
  it('is unpacked nowhere else when a folder of the target is swapped for a link meanwhile', async () => {
    mkdirSync(at('packed', 'inner'), { recursive: true });
    mkdirSync(at('target', 'inner'), { recursive: true });
    for (const name of whole) writeFileSync(at('packed', 'inner', `new-${name}`), 'x');
    execFileSync('tar', ['-cf', at('a.tar'), '-C', at('packed'), 'inner']);
    const isSwapped = swapSoon(at('target', 'inner'));
    await call('FA_extract_tar', { source: at('a.tar'), target_dir: at('target') }, { root }).catch(() => undefined);
    expect(isSwapped()).toBe(true);
    expect(readdirSync(at('victim')).sort()).toEqual(whole);
  });

  it('is not put where a link leads out, whoever made it; what is a link inside counts as what it leads to', async () => {
    const { files } = nodeHost();
    mkdirSync(at('target', 'real'), { recursive: true });
    symlinkSync(at('victim'), at('target', 'out'));
    symlinkSync('real', at('target', 'in'));
    writeFileSync(at('new'), 'x');
    const entries = [{ from: at('new'), name: 'file-0' }];
    const out = files.moveInto(at('target', 'out', 'deeper'), entries, { below: at('target') });
    await expect(out).rejects.toMatchObject({ code: 'ELOOP', path: at('target', 'out', 'deeper') });
    expect(readdirSync(at('victim')).sort()).toEqual(whole);
    await files.moveInto(at('target', 'in', 'a', 'b'), entries, { below: at('target'), mode: 0o700 });
    expect(readdirSync(at('target', 'real', 'a', 'b'))).toEqual(['file-0']);
    await expect(files.moveInto(at('target'), entries, { below: at('target') })).rejects.toMatchObject({
      code: 'ENOENT',
      path: at('new'),
    });
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

describe.runIf(process.platform === 'linux')('a copy of a folder', () => {
  /** Puts a link to the victim in the place of a folder as soon as something is in it. */
  function swapWhenFilled(folder: string): () => boolean {
    let swapped = false;
    const look = (): void => {
      if (!existsSync(folder) || readdirSync(folder).length === 0) return void setImmediate(look);
      renameSync(folder, `${folder}.away`);
      symlinkSync(at('victim'), folder);
      swapped = true;
    };
    setImmediate(look);
    return () => swapped;
  }

  it.each([
    ['FA_copy_dir', (): object => ({ dir_path: at('tree'), target_dir_path: at('copy') })],
    ['FA_sync_dir', (): object => ({ src: at('tree'), dst: at('copy') })],
  ] as const)(
    'by %s fills nothing else when a folder of the target is swapped for a link meanwhile',
    async (name, params) => {
      mkdirSync(at('tree', 'inner'), { recursive: true });
      for (const each of whole) writeFileSync(at('tree', 'inner', `new-${each}`), 'x');
      const isSwapped = swapWhenFilled(at('copy', 'inner'));
      await call(name, params() as never, { root }).catch(() => undefined);
      expect(isSwapped()).toBe(true);
      expect(readdirSync(at('victim')).sort()).toEqual(whole);
    },
  );

  it.each([
    ['FA_copy_dir', (): object => ({ dir_path: at('tree'), target_dir_path: at('copy') })],
    ['FA_sync_dir', (): object => ({ src: at('tree'), dst: at('copy') })],
  ] as const)(
    'by %s reads nothing else when a folder of the source is swapped for a link meanwhile',
    async (name, params) => {
      mkdirSync(at('tree', 'inner'), { recursive: true });
      for (const each of whole) writeFileSync(at('tree', 'inner', each), 'innocent');
      let swapped = false;
      const look = (): void => {
        if (!existsSync(at('copy', 'inner')) || readdirSync(at('copy', 'inner')).length === 0)
          return void setImmediate(look);
        renameSync(at('tree', 'inner'), at('tree', 'inner.away'));
        symlinkSync(at('victim'), at('tree', 'inner'));
        swapped = true;
      };
      setImmediate(look);
      await call(name, params() as never, { root }).catch(() => undefined);
      expect(swapped).toBe(true);
      const copied = readdirSync(at('copy', 'inner')).filter((file) => file.startsWith('file-'));
      expect(copied.filter((file) => readFileSync(at('copy', 'inner', file), 'utf8') === 'precious')).toEqual([]);
    },
  );
});
