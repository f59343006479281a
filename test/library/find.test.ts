import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { diff_dirs, has_os_index, iter_dir_diff, iter_grep, scandir_find } from '#compiler/library/files.ts';

let root = '';
const at = (...parts: string[]): string => join(root, ...parts);
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-library-'));
  for (const [folder, names] of Object.entries({ old: ['a.txt', 'b.TXT', 'c.md'], new: ['a.txt', 'c.md', 'd.txt'] })) {
    await mkdir(at(folder));
    for (const name of names)
      await writeFile(at(folder, name), name === 'a.txt' ? folder : `one\n${name} two\nthree\n`);
  }
});
afterAll(() => rm(root, { recursive: true }));

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('scandir_find', () => {
  it('yields absolute paths by name, whatever their case', async () => {
    expect(await all(scandir_find(at('old'), { pattern: '*.txt' }))).toEqual([at('old', 'a.txt'), at('old', 'b.TXT')]);
  });

  it('stops at a limit, and when its reader stops', async () => {
    expect(await all(scandir_find(root, { limit: 1 }))).toHaveLength(1);
    for await (const path of scandir_find(root)) {
      expect(path).toBe(at('new', 'a.txt'));
      break;
    }
  });

  it('shows folders where that is asked for', async () => {
    expect(await all(scandir_find(root, { pattern: 'old', files_only: false }))).toEqual([at('old')]);
  });

  it('rejects for what is no folder, and for parameters that do not fit', async () => {
    await expect(all(scandir_find(at('none')))).rejects.toMatchObject({ name: 'DirNotExistsException' });
    await expect(all(scandir_find(root, { limit: 0 }))).rejects.toThrow('limit');
  });
});

describe('has_os_index', () => {
  it('names the program of an index, where one is installed', async () => {
    expect([null, 'mdfind', 'plocate', 'locate', 'es']).toContain(await has_os_index());
  });
});

describe('iter_grep', () => {
  it('yields hits while files are read', async () => {
    for await (const hit of iter_grep(at('old'), 'TWO', { ignore_case: true, glob: '*.md' })) {
      expect(hit).toEqual({ path: at('old', 'c.md'), line: 2, text: 'c.md two' });
    }
    expect(await all(iter_grep(root, '^t\\w+', { regex: true }))).toHaveLength(4);
  });

  it('rejects for a broken expression', async () => {
    await expect(all(iter_grep(root, '(', { regex: true }))).rejects.toThrow('/(/ is no regular expression');
  });
});

describe('diff_dirs', () => {
  it('compares trees, and its result tells what is new, gone and other', async () => {
    const diff = await diff_dirs(at('old'), at('new'));
    expect(diff).toEqual({ added: ['d.txt'], removed: ['b.TXT'], changed: ['a.txt'], is_empty: false });
    expect([...iter_dir_diff(diff)]).toEqual([
      ['added', 'd.txt'],
      ['removed', 'b.TXT'],
      ['changed', 'a.txt'],
    ]);
    expect(Object.isFrozen(diff.added)).toBe(true);
    expect((await diff_dirs(at('old'), at('old'))).is_empty).toBe(true);
  });
});
