import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { memoryHost } from '#runtime/hosts/memory.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { makeComparer } from '#runtime/hosts/node/read/comparer.ts';
import type { SameSize } from '#schemas/types/host.ts';

let root = '';
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), 'svc-apart-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const hosts = [
  ['memory', () => memoryHost({}).files],
  ['node', () => nodeHost().files],
] as const;

describe.each(hosts)('tellApart, %s', (kind, open) => {
  test('names the first file with the same bytes, up to an end', async () => {
    const files = open();
    const at = (name: string): string => (kind === 'memory' ? `/${name}` : join(root, name));
    const contents = { a: 'one 1', b: 'two 2', c: 'one 2', d: 'two 2', e: 'one 1', f: 'xx' };
    for (const [name, content] of Object.entries(contents)) await files.write(at(name), content);
    const groups = [
      { size: 5, paths: ['a', 'b', 'c', 'd', 'e'].map(at) },
      { size: 2, paths: [at('f')] },
    ];
    expect(await files.tellApart(groups)).toEqual([[0, 1, 2, 1, 0], [0]]);
    expect(await files.tellApart(groups, { end: 4 })).toEqual([[0, 1, 0, 1, 0], [0]]);
    expect(await files.tellApart([])).toEqual([]);
  });

  test('says what has another size by now, and what is not there', async () => {
    const files = open();
    const at = (name: string): string => (kind === 'memory' ? `/${name}` : join(root, name));
    for (const [name, content] of Object.entries({ grown: 'abcd', less: 'ab', same: 'abc' }))
      await files.write(at(name), content);
    const [likenesses] = await files.tellApart([{ size: 3, paths: ['grown', 'less', 'none', 'same'].map(at) }]);
    expect(likenesses).toEqual([
      'changed',
      'changed',
      expect.objectContaining({ code: 'ENOENT', path: at('none') }),
      3,
    ]);
    expect(await files.tellApart([{ size: 3, paths: [at('grown')] }], { end: 2 })).toEqual([['changed']]);
  });
});

describe('tellApart', () => {
  const { files } = nodeHost();

  /** Groups of two to six files, in which contents come back. */
  function fill(count: number): SameSize[] {
    return Array.from({ length: count }, (_, group) => {
      const size = 1 + (group % 300);
      const paths = Array.from({ length: 2 + (group % 5) }, (__, index) => {
        const path = join(root, `${group}-${index}`);
        writeFileSync(path, String((index * group) % 3).repeat(size));
        return path;
      });
      return { size, paths };
    });
  }

  function wanted(groups: readonly SameSize[]): readonly (readonly number[])[] {
    return groups.map(({ paths }, group) =>
      paths.map((_, index) => paths.findIndex((__, first) => (first * group) % 3 === (index * group) % 3)),
    );
  }

  test('is the same over threads, with names that are bytes too', async () => {
    const groups = fill(2500);
    const raw = Buffer.from(`${root}/\xff`, 'latin1');
    renameSync(groups[1801]?.paths[1] ?? '', raw);
    groups[1801] = { size: groups[1801]?.size ?? 0, paths: [groups[1801]?.paths[0] ?? '', `${root}/\udcff`] };
    const expected = wanted(groups).with(1801, [0, 1]);
    expect(await files.tellApart(groups)).toEqual(expected);
    // What cannot be told in a thread is told as here.
    for (const group of [3, 2400]) rmSync(groups[group]?.paths[0] ?? '');
    const found = await files.tellApart(groups);
    for (const group of [3, 2400])
      expect(found[group]?.[0]).toMatchObject({ code: 'ENOENT', path: groups[group]?.paths[0] });
  });

  test('ends soon when it is told to', async () => {
    const groups = fill(2500);
    for (let delay = 0; delay < 40; delay += 8) {
      const stopped = new AbortController();
      const timer = setTimeout(() => stopped.abort(new Error('enough')), delay);
      await files
        .tellApart(groups, { signal: stopped.signal })
        .catch((error: unknown) => expect(error).toEqual(new Error('enough')));
      clearTimeout(timer);
    }
    if (process.platform === 'linux')
      expect(
        readdirSync('/proc/self/fd')
          .map((file) => linkOf(file))
          .filter((path) => path.startsWith(root)),
      ).toEqual([]);
  });

  test('follows no link, and waits for no pipe', async () => {
    writeFileSync(join(root, 'a'), 'abc');
    symlinkSync('a', join(root, 'link'));
    mkdirSync(join(root, 'folder'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const paths = ['a', 'link', 'folder', 'pipe'].map((name) => join(root, name));
    const [likenesses] = await files.tellApart([{ size: 3, paths }]);
    expect(likenesses).toEqual([0, 'changed', 'changed', 'changed']);
  });

  test('short reads are read on, and a failure is told of its own file alone', () => {
    for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), 'same content');
    let calls = 0;
    const readSync = (file: number, buffer: Buffer, offset: number, length: number, position: number): number => {
      if ((calls += 1) === 3) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      return fs.readSync(file, buffer, offset, Math.min(length, 7), position);
    };
    const steps = makeComparer(
      { ...fs, readSync: readSync as typeof fs.readSync },
      fs.constants.O_RDONLY,
      Infinity,
    )({ size: 12, paths: ['a', 'b', 'c'].map((name) => join(root, name)) });
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    expect(step.value).toEqual([0, { code: 'EIO', message: 'EIO: i/o error' }, 0]);
  });
});

function linkOf(file: string): string {
  try {
    return fs.readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    return '';
  }
}
