import { describe, expect, it } from 'vitest';

import type { Change, Seen } from '#runtime/services/watch/change.ts';
import { netChanges } from '#runtime/services/watch/net-changes.ts';
import { Pending } from '#runtime/services/watch/pending.ts';

const file = (ino: number, more: Partial<Seen> = {}): Seen => ({
  kind: 'file',
  dev: 1,
  ino,
  birthtime_ms: 0,
  size: 1,
  mtime_ms: ino,
  ...more,
});
const folder = (ino: number): Seen => ({ ...file(ino), kind: 'directory' });
type Tree = Readonly<Record<string, Seen>>;

function between(before: Tree, after: Tree): readonly Change[] {
  return netChanges(
    [...new Set([...Object.keys(before), ...Object.keys(after)])].map((path) => ({
      path,
      before: before[path],
      after: after[path],
    })),
  );
}
const shown = (changes: readonly Change[]): readonly string[] =>
  changes.map(
    ({ type, path, dest, replaces }) =>
      `${type} ${path}${dest === undefined ? '' : ` -> ${dest}`}${replaces ? ' over another' : ''}`,
  );

describe('what has come of it between two looks', () => {
  it.each<[string, Tree, Tree, readonly string[]]>([
    ['nothing', { '/a': file(1) }, { '/a': file(1) }, []],
    ['a new file', {}, { '/a': file(1) }, ['created /a']],
    ['a file that is gone', { '/a': file(1) }, {}, ['deleted /a']],
    ['a file that was written', { '/a': file(1) }, { '/a': file(1, { size: 2 }) }, ['modified /a']],
    ['a file in the place of another', { '/a': file(1) }, { '/a': file(2) }, ['modified /a']],
    [
      'a file in the place of a folder',
      { '/a': folder(1), '/a/b': file(3) },
      { '/a': file(2) },
      ['modified /a', 'deleted /a/b'],
    ],
    ['a folder in which something changed', { '/a': folder(1) }, { '/a': { ...folder(1), mtime_ms: 9 } }, []],
    ['a rename', { '/a': file(1) }, { '/b': file(1) }, ['moved /a -> /b']],
    ['a rename over another', { '/a': file(1), '/b': file(2) }, { '/b': file(1) }, ['moved /a -> /b over another']],
    [
      'two that changed places',
      { '/a': file(1), '/b': file(2) },
      { '/a': file(2), '/b': file(1) },
      ['modified /a', 'modified /b'],
    ],
    [
      'a folder that was moved with all that is in it',
      { '/a': folder(1), '/a/b': file(2), '/a/c': folder(3), '/a/c/d': file(4) },
      { '/x': folder(1), '/x/b': file(2), '/x/c': folder(3), '/x/c/d': file(4) },
      ['moved /a -> /x'],
    ],
    [
      'one that was renamed inside a folder that was moved',
      { '/a': folder(1), '/a/b': file(2) },
      { '/x': folder(1), '/x/z': file(2) },
      ['moved /a -> /x', 'moved /a/b -> /x/z'],
    ],
    [
      'a new file with the number of one that is gone',
      { '/a': file(1) },
      { '/b': file(1, { mtime_ms: 7 }) },
      ['deleted /a', 'created /b'],
    ],
    ['a second name', { '/a': file(1) }, { '/a': file(1), '/b': file(1) }, ['created /b']],
    [
      'one of two names that is renamed',
      { '/a': file(1), '/b': file(1) },
      { '/a': file(1), '/c': file(1) },
      ['moved /b -> /c'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(shown(between(before, after))).toEqual(expected);
  });
});

describe('changes that wait', () => {
  const merged = (...changes: readonly Change[]): readonly string[] => {
    const pending = new Pending();
    for (const change of changes) pending.add(change, 0);
    return shown(pending.take(() => true));
  };
  const seen = file(1);
  const created = (path: string): Change => ({ type: 'created', path, seen });
  const modified = (path: string): Change => ({ type: 'modified', path, seen });
  const deleted = (path: string): Change => ({ type: 'deleted', path });
  const moved = (path: string, dest: string, replaces = false): Change => ({
    type: 'moved',
    path,
    dest,
    seen,
    ...(replaces && { replaces }),
  });

  it.each<[readonly Change[], readonly string[]]>([
    [[created('a'), modified('a')], ['created a']],
    [[created('a'), deleted('a')], []],
    [
      [modified('a'), modified('b'), modified('a')],
      ['modified b', 'modified a'],
    ],
    [[modified('a'), deleted('a')], ['deleted a']],
    [[deleted('a'), created('a')], ['modified a']],
    [[created('a'), moved('a', 'b'), moved('b', 'c')], ['created c']],
    [[moved('a', 'b'), moved('b', 'c'), modified('c')], ['moved a -> c']],
    [[moved('a', 'b'), deleted('b')], ['deleted a']],
    [
      [moved('a', 'b', true), deleted('b')],
      ['deleted a', 'deleted b'],
    ],
    [[moved('a', 'b'), moved('b', 'a')], ['modified a']],
    [[modified('a'), moved('a', 'b')], ['moved a -> b']],
    [[created('a'), moved('a', 'b', true)], ['modified b']],
    [[created('b'), created('a'), moved('a', 'b', true)], ['created b']],
    [[deleted('b'), moved('a', 'b')], ['moved a -> b over another']],
  ])('%j', (changes, expected) => {
    expect(merged(...changes)).toEqual(expected);
  });

  it('lead from what was there to what is there, whatever happened', () => {
    let seed = 7;
    const random = (below: number): number => (
      (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31),
      Math.floor((seed / 2 ** 31) * below)
    );
    for (let round = 0; round < 3000; round += 1) {
      const names = ['a', 'b', 'c', 'd'];
      let tree: Tree = Object.fromEntries(
        names.filter(() => random(2) === 0).map((name, index) => [name, file(index + 1)]),
      );
      const begin = new Set(Object.keys(tree));
      let ino = 10;
      const pending = new Pending();
      const history: string[] = [Object.keys(tree).join('')];
      for (let window = 0; window < 4; window += 1) {
        const before = tree;
        for (let count = random(3); count >= 0; count -= 1) tree = changed(tree);
        history.push(shown(between(before, tree)).join(', '));
        for (const change of between(before, tree)) pending.add(change, 0);
      }
      const now = new Set(begin);
      const told = pending.take(() => true);
      for (const { type, path } of told) if (type === 'deleted' || type === 'moved') now.delete(path);
      for (const { type, path, dest } of told) {
        if (type === 'created') now.add(path);
        if (type === 'moved' && dest !== undefined) now.add(dest);
        if (type === 'modified' && !(path in tree)) throw new Error(history.join('; '));
      }
      expect([history, [...now].sort()]).toEqual([history, Object.keys(tree).sort()]);

      function changed(given: Tree): Tree {
        const [one = '', other = ''] = [names[random(4)], names[random(4)]];
        const { [one]: there, ...rest } = given;
        const kind = random(3);
        if (kind === 0)
          return { ...given, [one]: there && random(2) === 0 ? { ...there, size: there.size + 1 } : file(ino++) };
        if (kind === 1) return rest;
        return there && one !== other ? { ...rest, [other]: there } : given;
      }
    }
  });
});
