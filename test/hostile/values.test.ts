import { describe, expect, it } from 'vitest';

import { DEFAULT_LIMITS } from '#grammar/document/limits.ts';
import { readDocument } from '#grammar/document/read.ts';
import { mayHoldMore } from '#grammar/document/value-bound.ts';

describe('the number of values of a document', () => {
  it.each([
    ['a list in YAML', `[${'0,'.repeat(13_000_000)}0]`, 'a.yaml'],
    ['lists in YAML', `[${'[],'.repeat(6_000_000)}0]`, 'a.yaml'],
    ['lines in YAML', '- 0\n'.repeat(13_000_000), 'a.yaml'],
    ['a list in JSON', `[${'0,'.repeat(13_000_000)}0]`, 'a.json'],
  ])(
    'is bounded before memory is spent on them: %s',
    async (_, text, source) => {
      const before = process.memoryUsage().rss;
      const { diagnostics } = await readDocument(text, { source, limits: { bytes: 128 * 1024 * 1024 } });
      expect(diagnostics.map(({ slug }) => slug)).toEqual(['too-many-values']);
      expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
    },
    60_000,
  );

  it('is counted by marks, never too low', async () => {
    for (const [text, values] of [
      ['[a,b,c]', 4],
      ['{a: 1,b: 2}', 5],
      ['- a: 1\n  b: 2\n- c\n', 7],
      ['? a\n: b\n', 3],
      ['[[],[],{}]', 4],
      ['a:\n- b\n- - c\n', 6],
    ] as const) {
      expect(mayHoldMore(text.padEnd(100), values - 2), text).toBe(true);
    }
  });

  it('leaves room for a million actions and for long texts', async () => {
    expect(mayHoldMore('- [FA_copy_file, [a.txt, b.txt, true]]\n'.repeat(1_000_000), DEFAULT_LIMITS.values)).toBe(
      false,
    );
    expect(
      mayHoldMore('Prose, with a comma here and there - and a dash: '.repeat(1_300_000), DEFAULT_LIMITS.values),
    ).toBe(false);
  });
});
