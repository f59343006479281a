import { expect, test } from 'vitest';

import { folderOf, joinRemote, nameOf } from '#stdlib/files/backends/remote-path.ts';

test.each([
  ['', '', ''],
  ['', 'a', 'a'],
  ['x', 'a/b', 'x/a/b'],
  ['x//', '', 'x'],
  ['/x/', 'a', '/x/a'],
  ['/', 'a', '/a'],
  // The folder in which a login begins is another one.
  ['/', '', '/'],
  ['//', '', '/'],
])('"%s" and "%s" are "%s"', (prefix, name, whole) => {
  expect(joinRemote(prefix, name)).toBe(whole);
});

test('a path has a folder and a name', () => {
  expect(['a', '/a', 'x/a/', '/x/a'].map(folderOf)).toEqual(['', '/', 'x', '/x']);
  expect(['a', '/a', 'x/a/', '/'].map(nameOf)).toEqual(['a', 'a', 'a', '']);
});
