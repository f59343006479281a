import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { filesOfGit, lacksGit } from './files-of-git.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** First words of doc comments that leave the reader to find out which thing is meant. */
const RIDDLES: ReadonlySet<string> = new Set(
  'What Where Who Whom Whose Which How Why When Of Between Without'.split(' '),
);

/** Doc comments that begin so all the same, by file and first words, with the reason. */
const MAY: Readonly<Record<string, string>> = {};

/** The first words of each doc comment of a text. */
function openings(text: string): readonly string[] {
  return Array.from(text.matchAll(/\/\*\*[\s*]*([^\n]*)/g), ([, line = '']) => line.split(/\s+/).slice(0, 6).join(' '));
}

function isRiddle(opening: string): boolean {
  return RIDDLES.has(opening.split(' ')[0] ?? '');
}

/** Characters of a line, as the formatter has it: it leaves comments alone. */
const WIDTH = 120;

/** Lines of doc comments that are wider. Words that nothing can break, such as addresses, may be. */
function wideLines(text: string): readonly string[] {
  return Array.from(text.matchAll(/^[ ]*\/\*\*(?:(?!\*\/)[\s\S])*\*\/$/gm), ([comment]) => comment.split('\n'))
    .flat()
    .filter(
      (line) =>
        line.length > WIDTH &&
        line
          .trim()
          .replace(/^(?:\/\*)?\*+ /, '')
          .includes(' '),
    );
}

describe.skipIf(lacksGit)('doc comments', () => {
  it('fit into the width of a line', () => {
    const files = filesOfGit(root, { others: true }).filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
    const found = files.flatMap((file) =>
      wideLines(readFileSync(path.join(root, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
    expect(wideLines(`${'/*'}* ${'word '.repeat(30)}*/`)).toHaveLength(1);
  });

  it('begin with the noun or the verb that they define', () => {
    const files = filesOfGit(root, { others: true }).filter((file) => /\.(?:ts|cts|mts)$/.test(file));
    const found = files.flatMap((file) =>
      openings(readFileSync(path.join(root, file), 'utf8'))
        .filter(isRiddle)
        .map((opening) => `${file}: ${opening}`),
    );
    expect(found.filter((each) => !Object.hasOwn(MAY, each))).toEqual([]);
    expect(
      Object.keys(MAY).filter((each) => !found.includes(each)),
      'lines without a comment',
    ).toEqual([]);
  });

  it('are found in one line and in several', () => {
    const text = `${'/*'}* What it is. */\n  ${'/*'}**\n   * How many there are.\n   */\n${'/*'}* Number of them. */`;
    expect(openings(text).map(isRiddle)).toEqual([true, true, false]);
  });
});
