import { describe, expect, it } from 'vitest';

import { readDocument } from '#grammar/document/read.ts';

import { languages } from '../grammar/languages.ts';
import { sampled } from '../hostile/sampled.ts';

/** Pieces that hurt when they are repeated: brackets, quotes, escapes, anchors, marks of references, half tokens. */
const pieces = [
  '[',
  '{',
  '"',
  "'",
  '\\',
  '- ',
  '-',
  'a: ',
  'a:\n ',
  '? ',
  ': ',
  ':',
  '&a ',
  '*a ',
  '!t ',
  '!',
  '| ',
  '|\n',
  '>\n ',
  '#',
  ' #',
  '# c\n',
  '\n',
  '\r',
  '\t',
  ' ',
  '{a: ',
  '[a: ',
  'a,',
  '[]',
  '{}',
  '""',
  '"\\u0041',
  "'' ",
  '&a [*a]',
  '- &a\n  - *a\n',
  '<<: ',
  '%A\n',
  '--- ',
  '---\n',
  '...\n',
  '{{a}} ',
  '{{',
  '${',
  '${a',
  '$${',
  '\\{{',
  '{{a[',
  '{{a.',
  '{{a:-',
  '{"a":',
  '["a",',
  '1',
  '1e',
  '.',
  'tru',
  '//',
  '/*',
  '\u0000',
  '\ufeff',
  'a\nb ',
  'a: b\n',
  '? a\n: b\n',
  'a: &x b\n',
  'a: |\n  x\n',
  '"a": 1\n',
  '{a: 1}\n',
  'a: {b\n',
  'a: [b\n',
  'a: "b\n',
  "a: 'b\n",
  '@',
  ',',
  ']',
  '}',
  '!(',
  'a&&',
  'a == ',
  'a(',
  '/a/',
  '/',
  'not ',
  '1,',
  '*/',
  'a|',
  '&',
];

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  json: (text) => readDocument(text, { source: 'a.json' }),
  'json, inside': (text) => readDocument(`{"a": [${text}`, { source: 'a.json' }),
  yaml: (text) => readDocument(text, { source: 'a.yaml' }),
  'yaml, inside': (text) => readDocument(`a:\n  - ${text}`, { source: 'a.yaml' }),
  ...Object.fromEntries(languages.map(({ name, parse }) => [name, parse])),
};

/** Characters of the smaller text; the larger has four times as many. */
const LENGTH = 10_000;

/** Processor time (ms) that the larger text may take in any case. */
const SOON = 300;

describe('time grows with the length of the text, not with its square', () => {
  it.each(Object.entries(readers))(
    '%s',
    async (name, read) => {
      const slow: string[] = [];
      for (const piece of sampled(pieces, 0.2, (one) => `${name} ${one}`)) {
        let large = await timed(read, piece, LENGTH * 4);
        // What is over so soon has no room for a square.
        if (large <= SOON) continue;
        let small = await timed(read, piece, LENGTH);
        // Four times the text may take eight times as long on a busy machine; a square would take sixteen times. The collector
        // may clean up behind other tests meanwhile: a square shows every time.
        for (let again = 0; again < 4 && isSlow(small, large); again += 1) {
          small = Math.max(small, await timed(read, piece, LENGTH));
          large = Math.min(large, await timed(read, piece, LENGTH * 4));
        }
        if (isSlow(small, large))
          slow.push(`${JSON.stringify(piece)}: ${small.toFixed(0)} ms, four times as long: ${large.toFixed(0)} ms`);
      }
      expect(slow).toEqual([]);
    },
    300_000,
  );
});

function isSlow(small: number, large: number): boolean {
  return large > SOON && large > small * 10;
}

async function timed(read: (text: string) => unknown, piece: string, length: number): Promise<number> {
  const text = piece.repeat(Math.ceil(length / piece.length));
  const started = process.cpuUsage();
  await read(text);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
