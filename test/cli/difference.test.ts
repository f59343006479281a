import { expect, test } from 'vitest';

import { difference } from '#compiler/cli/migrate/difference.ts';

const lines = (count: number, sign = ''): string =>
  Array.from({ length: count }, (_, index) => `${index}${sign}\n`).join('');

test('a difference shows what changes with two lines around it', () => {
  expect(difference('a.yaml', lines(9), lines(9).replace('4\n', 'four\nand a half\n'))).toBe(
    '--- a.yaml\n+++ a.yaml\n@@ -3,5 +3,6 @@\n 2\n 3\n-4\n+four\n+and a half\n 5\n 6\n',
  );
});

test.each([
  ['nothing before', '', 'a\n', '@@ -0,0 +1,1 @@\n+a\n'],
  ['no end of line', 'a', 'b', '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n'],
])('%s', (_about, before, after, shown) => {
  expect(difference('a.yaml', before, after)).toBe(`--- a.yaml\n+++ a.yaml\n${shown}`);
});

test('of a file that changes whole, however long, every line is shown', () => {
  const shown = difference('a.yaml', lines(30_000), lines(30_000, 'x')).split('\n');
  expect(shown.filter((line) => /^-\d/.test(line))).toHaveLength(30_000);
  expect(shown.filter((line) => /^\+\d/.test(line))).toHaveLength(30_000);
});
