import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { noPrograms } from '#runtime/hosts/memory.ts';
import type { Processes } from '#schemas/types/host.ts';
import { FA_fast_find } from '#stdlib/files/local/find/find.ts';

import { failureOf, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace({ env: { HOME: '/nowhere/home' } });
  for (const name of ['b/Two.txt', 'b/x/two.TXT', 'a.txt', '.hidden.txt', 'b.md', 'c[1].txt', 'd\udcff.txt']) {
    const native = Buffer.concat([...name].map((one) => (one === '\udcff' ? Buffer.from([0xff]) : Buffer.from(one))));
    await mkdir(dirname(place.path(name)), { recursive: true });
    await writeFile(Buffer.concat([Buffer.from(`${place.root}/`), native]), '');
  }
  await symlink('b', place.path('link.txt'));
  await symlink('a.txt', place.path('file-link.txt'));
  await symlink('gone', place.path('dangling.txt'));
  await symlink('loop.txt', place.path('loop.txt'));
});
afterEach(() => place.close());

interface Options {
  readonly limit?: number;
  readonly files_only?: boolean;
  readonly root?: string;
  readonly processes?: Processes;
}

async function find(
  pattern: string,
  { limit, files_only = true, root = place.root, processes }: Options = {},
): Promise<string[]> {
  const context = { ...place.context, processes: processes ?? noPrograms };
  const found = await FA_fast_find(
    { root, pattern, limit: limit ?? null, use_index: processes !== undefined, files_only },
    context as never,
  );
  return found.map((path) => path.slice(place.root.length + 1));
}

/** An indexer that prints paths. */
const indexer = (names: readonly string[], code = 0, asked: (readonly string[])[] = []): Processes => ({
  ...noPrograms,
  find: ([name]) => `/usr/bin/${name}`,
  run: (file, args) => {
    asked.push([file, ...args]);
    if (file !== '/usr/bin/plocate') return Promise.reject(new Error('broken'));
    const stdout = Buffer.from(names.map((name) => `${name}\0`).join(''));
    return Promise.resolve({ code, signal: null, stdout, stderr: new Uint8Array(), timed_out: false });
  },
});

const texts = [
  '.hidden.txt',
  'a.txt',
  'b/Two.txt',
  'b/x/two.TXT',
  'c[1].txt',
  'dangling.txt',
  'd\udcff.txt',
  'file-link.txt',
  'loop.txt',
];

describe('FA_fast_find, by looking', () => {
  it('ignores letter case, finds in order, and enters no link', async () => {
    expect(await find('*.txt')).toEqual(texts);
    expect(await find('TWO.*')).toEqual(['b/Two.txt', 'b/x/two.TXT']);
    expect(await find('?.txt')).toEqual(['a.txt']);
    expect(await find('[a-c].*')).toEqual(['a.txt', 'b.md']);
    expect(await find('c[[]1].txt')).toEqual(['c[1].txt']);
    expect(await find('nothing')).toEqual([]);
  });

  it('lists folders, and links to them, when they are wanted', async () => {
    expect(await find('*', { files_only: false })).toEqual([
      '.hidden.txt',
      'a.txt',
      'b',
      'b/Two.txt',
      'b/x',
      'b/x/two.TXT',
      'b.md',
      'c[1].txt',
      'dangling.txt',
      'd\udcff.txt',
      'file-link.txt',
      'link.txt',
      'loop.txt',
    ]);
  });

  it('stops at the limit', async () => {
    expect(await find('*.txt', { limit: 2 })).toEqual(texts.slice(0, 2));
  });

  it.skipIf(lacks('find'))('agrees with `find`', async () => {
    const gnu = execFileSync('find', ['.', '-mindepth', '1', '-iname', '*t*', '-print0'], { cwd: place.root })
      .toString('latin1')
      .split('\0')
      .filter((name) => name !== '');
    const seen = (await find('*t*', { files_only: false })).map((name) => `./${name.replace('\udcff', 'ÿ')}`);
    expect(seen.toSorted()).toEqual(gnu.toSorted());
  });

  it('skips folders that may not be read, but not the root', async () => {
    const { files } = place.context;
    const list: typeof files.list = (path) =>
      path.endsWith('/b') ? Promise.reject(Object.assign(new Error('no'), { code: 'EACCES', path })) : files.list(path);
    const context = { ...place.context, files: { ...files, list } };
    const found = await FA_fast_find(
      { root: place.root, pattern: '*.txt', limit: null, use_index: false, files_only: true },
      context as never,
    );
    expect(found).toHaveLength(texts.length - 2);
    expect(
      (
        await failureOf(
          Promise.resolve(
            FA_fast_find(
              { root: place.path('b'), pattern: '*', limit: null, use_index: false, files_only: true },
              context as never,
            ),
          ),
        )
      ).facts.code,
    ).toBe('SVC85004');
  });

  it('takes a tilde for the home folder, and refuses what is no folder', async () => {
    for (const root of ['~', '~/x', place.path('a.txt'), place.path('none')])
      expect((await failureOf(find('*', { root }))).facts.code).toBe('SVC85001');
    expect((await failureOf(find('*', { root: '~/x' }))).message).toContain('/nowhere/home/x');
  });
});

describe('FA_fast_find, by an index', () => {
  const at = (name: string): string => `${place.root}/${name}`;

  it('takes what still stands there, is below the folder, and fits, in order', async () => {
    const asked: (readonly string[])[] = [];
    const processes = indexer(
      [
        at('b.md'),
        at('b/x/two.TXT'),
        at('b/Two.txt'),
        at('gone.txt'),
        '/etc/two.txt',
        at('link.txt'),
        `${place.root}-else/two.txt`,
      ],
      0,
      asked,
    );
    expect(await find('*.txt', { processes })).toEqual(['b/Two.txt', 'b/x/two.TXT']);
    expect(asked.map(([program]) => program)).toEqual(['/usr/bin/mdfind', '/usr/bin/plocate']);
    expect(asked[0]).toContain('kMDItemFSName == "*.txt"c');
    expect(await find('*.txt', { processes, limit: 1 })).toEqual(['b/Two.txt']);
  });

  it('looks for itself after an empty answer and after a failure', async () => {
    expect(await find('*.txt', { processes: indexer([]) })).toEqual(texts);
    expect(await find('*.txt', { processes: indexer([at('a.txt')], 2) })).toEqual(texts);
    expect(await find('*.txt', { processes: noPrograms })).toEqual(texts);
  });

  it('hands quotes and backslashes on as text', async () => {
    const asked: (readonly string[])[] = [];
    await find('a"\\b', { processes: indexer([], 0, asked) });
    expect(asked[0]?.at(-1)).toBe('kMDItemFSName == "a\\"\\\\b"c');
    expect(asked[1]?.at(-1)).toBe('a"\\\\b');
  });
});
