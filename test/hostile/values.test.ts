import { describe, expect, it } from 'vitest';

import { DEFAULT_LIMITS } from '#grammar/document/limits.ts';
import { readDocument } from '#grammar/document/read.ts';
import { mayHoldMore, yamlLimit, yamlMayHoldMore } from '#grammar/document/value-bound.ts';

describe('the number of values of a document', () => {
  it.each([
    ['a list in YAML', `[${'0,'.repeat(13_000_000)}0]`, 'a.yaml'],
    ['lists in YAML', `[${'[],'.repeat(13_000_000)}0]`, 'a.yaml'],
    ['lines in YAML', '- 0\n'.repeat(4_000_000), 'a.yaml'],
    ['keys in YAML', 'k: 0\n'.repeat(2_000_000), 'a.yaml'],
    ['lines of a text in YAML', `a: |\n${' x\n'.repeat(13_000_000)}`, 'a.yaml'],
    ['escapes of a text in YAML', `a: "${'\\n'.repeat(13_000_000)}"`, 'a.yaml'],
    ['quotes in a text in YAML', `a: '${"''".repeat(13_000_000)}'`, 'a.yaml'],
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
      ['{"a":1,"b":[1]}', 7],
      ["{'a':1,[b]:c}", 6],
      ['- - - - a', 5],
      ['-\n  -\n    - a', 4],
    ] as const) {
      expect(yamlMayHoldMore(text.padEnd(100), values - 2), text).toBe(true);
      if (!text.startsWith('-')) expect(mayHoldMore(text.padEnd(100), values - 2), text).toBe(true);
    }
    // Texts are made of the pieces between their line breaks, escapes and quotes.
    for (const text of ['\n'.repeat(4_000), '\\n'.repeat(4_000), "''".repeat(4_000)])
      expect(yamlMayHoldMore(text, 1_990)).toBe(true);
    expect(yamlMayHoldMore('https://a.example:80/b '.repeat(1_000), 100)).toBe(false);
  });

  it('leaves room for a million actions in JSON, a hundred thousand in YAML, and for long texts', async () => {
    const large =
      '- AT_test_api_method: { http_method: get, test_url: "https://a.example:80/b", headers: { Accept: text/plain } }\n' +
      '  name: reads\n  expect: [result.status_code == 200]\n';
    expect(yamlMayHoldMore(large.repeat(100_000), yamlLimit(DEFAULT_LIMITS.values))).toBe(false);
    expect(mayHoldMore('- [FA_copy_file, [a.txt, b.txt, true]]\n'.repeat(1_000_000), DEFAULT_LIMITS.values)).toBe(
      false,
    );
    expect(
      mayHoldMore('Prose, with a comma here and there - and a dash: '.repeat(1_300_000), DEFAULT_LIMITS.values),
    ).toBe(false);
  });
});
