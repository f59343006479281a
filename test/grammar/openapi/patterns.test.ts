import { describe, expect, test } from 'vitest';

import { hasMatch } from '#grammar/openapi/pattern/has-match.ts';
import { textOfPattern } from '#grammar/openapi/pattern/text-of-pattern.ts';
import { fitsPattern } from '#grammar/openapi/text-forms.ts';

import { ownTime } from '../../fixtures/own-time.ts';

/** Patterns as documents publish them, with texts that fit and such that do not. */
const patterns: readonly (readonly [pattern: string, fitting: readonly string[], others: readonly string[]])[] = [
  ['^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}$', ['0123abcd-0123-abcd'], ['0123abcd-0123', '0123ABCD-0123-abcd', '']],
  ['^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|1?\\d?\\d)$', ['10.0.0.1'], ['10.0.0', '10.0.0.999']],
  ['^[a-z0-9]+(?:-[a-z0-9]+)*$', ['a', 'a-b-c1'], ['a--b', '-a', 'a-', 'A']],
  ['^-?\\w+(,-?\\w+)*$', ['a,-b'], ['a,,b', ',']],
  ['^(?=.*[A-Z])(?=.*\\d)\\S{4,8}$', ['abC1', '1234567A'], ['abc1', 'ABCD', 'aB1', '12345678A']],
  ['^(?!xn--)[a-z]+(\\.[a-z]+)+$', ['a.b.c'], ['xn--a.b', 'a']],
  ['^([A-Za-z]_?)+$', ['a_b', 'ab_'], ['_a', 'a__b']],
  ['(a|b)*c{2,}', ['xxabcc', 'cc'], ['abc']],
  ['\\bcat(s)*\\b', ['a cats!'], ['acat', 'cattle']],
  ['^(\\p{Lu}\\p{Ll}+ ?)+$', ['Ärger Über'], ['ärger']],
  ['^([\\u4e00-\\u9fa5]{2,4})+$', ['漢字'], ['漢', 'ab']],
  // Not of the Unicode mode.
  ['^([\\w-.]+\\@)+x$', ['a.b-c@x'], ['@x']],
];

describe('patterns whose search could run away', () => {
  test.each(patterns)('%s', (pattern, fitting, others) => {
    for (const text of fitting) expect(fitsPattern(text, pattern), text).toBe(true);
    for (const text of others) expect(fitsPattern(text, pattern), text).toBe(false);
  });

  test('are searched as the engine searches them', () => {
    const pieces = [
      'a',
      'b',
      '(a|b)',
      '(?:ab?)*',
      '[^a]',
      '(a+)+',
      '(b{1,2}a){0,2}',
      '(?!b)',
      '(?=a)',
      '^',
      '$',
      '\\b',
      '.',
    ];
    const texts = ['', 'a', 'b', 'ab', 'ba', 'aab', 'bba', 'abab', 'a b', 'ba\nab'];
    for (const first of pieces)
      for (const second of pieces)
        for (const third of pieces)
          for (const text of texts) {
            const pattern = first + second + third;
            expect(hasMatch(text, pattern, ''), `${pattern} in ${JSON.stringify(text)}`).toBe(
              new RegExp(pattern).test(text),
            );
          }
  });

  test('take no time that grows faster than the text', () => {
    const taken = ownTime();
    expect(fitsPattern(`${'a'.repeat(20_000)}!`, '^(a+)+$')).toBe(false);
    expect(fitsPattern(`${'a'.repeat(5_000)}!`, '^((a|a)*)*$')).toBe(false);
    expect(taken()).toBeLessThan(2000);
  });

  test.each(['(a)\\1', '(?<=a)b', '(?<!a)b', '(?<n>a)\\k<n>', '((a{200}){200}){200}'])(
    'are not understood: %s',
    (pattern) => {
      for (const flags of ['', 'u'] as const) expect(hasMatch('ab', pattern, flags)).toBeUndefined();
    },
  );

  test('of nothing repeated without end are answered at once', () => {
    expect(hasMatch('b', '((){99999}){99999}b', '')).toBe(true);
    expect(textOfPattern('((){9999}){9999}b', () => 0)).toBeUndefined();
  });

  test.each(patterns.filter(([pattern]) => !/\(\?[=!]/.test(pattern)))('have texts: %s', (pattern) => {
    for (const share of [0, 0.2, 0.5, 0.99]) {
      const text = textOfPattern(pattern, () => share);
      expect(text).toBeDefined();
      expect(fitsPattern(text ?? '', pattern), text).toBe(true);
    }
  });
});
