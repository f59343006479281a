import { describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { makeRegex } from '#runtime/kernel/values/regex.ts';
import { stepsAtMost } from '#schemas/types/bounded-match.ts';
import type { Failure } from '#schemas/types/failure.ts';

const regex = makeRegex(nodeHost());

describe('a regular expression', () => {
  test.each([
    ['nested repetitions', '(a+)+$', `${'a'.repeat(60)}!`],
    ['optional parts', `${'a?'.repeat(40)}b`, `${'a'.repeat(40)}!`],
    ['alternatives', `^${'(?:a|a?b?)'.repeat(40)}c`, 'a'.repeat(40)],
    ['optional brackets', `${'\\(?'.repeat(40)}b`, '('.repeat(40)],
    ['lazy parts', `^${'(?:a??)'.repeat(40)}b`, `${'a'.repeat(60)}!`],
  ])('whose time doubles with each of its %s is stopped', (_, pattern, text) => {
    let failure: Failure | undefined;
    try {
      regex.match(pattern, 'u', text);
    } catch (error) {
      failure = error as Failure;
    }
    expect(failure?.facts.code).toBe('SVC80030');
  });

  test('of an everyday kind is quick on a line', () => {
    for (const pattern of [
      'https?://[^/]+/',
      '^(GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS) /',
      'error|warning|fatal|panic|abort|crash',
      '\\d{4}-\\d\\d',
      '[?|+*]',
      '\\?\\?\\|',
    ])
      expect(stepsAtMost(pattern, 100)).toBeLessThan(5_000_000);
  });
});
