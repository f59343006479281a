import { expect, test } from 'vitest';

import { verbHelp, overview } from '#compiler/cli/help.ts';
import { verbs } from '#schemas/generated/cli.ts';

test.each([40, 60, 100, 200])('no line of prose is longer than a terminal of %i columns', (columns) => {
  const page = { colour: false, columns };
  for (const text of [overview(verbs, ['conditions', 'config'], page), ...verbs.map((verb) => verbHelp(verb, page))]) {
    const [prose = ''] = text.split('\nExamples\n');
    // A line without a blank where it could be broken stays whole.
    const long = prose.split('\n').filter((line) => line.length > columns && line.trim().includes(' ', 30));
    expect(long.filter((line) => !line.startsWith('Usage'))).toEqual([]);
  }
});

test('wide terminals and pipes get the same words', () => {
  for (const verb of verbs) {
    const words = (columns: number | undefined): string =>
      verbHelp(verb, { colour: false, ...(columns !== undefined && { columns }) }).replaceAll(/\s+/g, ' ');
    expect(words(50)).toBe(words(undefined));
  }
});
