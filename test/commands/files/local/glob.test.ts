import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';

import { globMatcher, pathMatcher } from '#stdlib/files/glob.ts';

/**
 * Letters of the globs that both know: stars, question marks and sets of letters, over names without a folder.
 * (`[!a]` is a set of `!` and `a` there.)
 */
const letter = fc.constantFrom('a', 'b', 'c', '-', '_', '0', '9');
const piece = fc.oneof(
  { weight: 4, arbitrary: letter },
  { weight: 2, arbitrary: fc.constant('*') },
  { weight: 1, arbitrary: fc.constant('?') },
  { weight: 1, arbitrary: fc.constantFrom('[ab]', '[a-c]', '[0-9]') },
);
const pattern = fc
  .array(piece, { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join('').replaceAll(/\*+/g, '*'));
const name = fc.array(letter, { minLength: 1, maxLength: 10 }).map((letters) => letters.join(''));

describe('globs', () => {
  it('mean what picomatch says of them', () => {
    fc.assert(
      fc.property(pattern, name, (glob, file) => {
        const oracle = picomatch(glob, { nobrace: true, noextglob: true, nonegate: true, dot: true });
        expect(globMatcher(glob)(file), `${glob} ${file}`).toBe(oracle(file));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['[!a]', 'b', true],
    ['[!a]', 'a', false],
    ['[!]]', 'b', true],
    ['[!]]', ']', false],
    ['[]a]', ']', true],
    ['[]a]', 'b', false],
    ['[ab', '[ab', true],
    ['[ab', 'a', false],
    ['[]', '[]', true],
  ])('in sets: %s and %s', (glob, file, fits) => {
    expect(globMatcher(glob)(file)).toBe(fits);
  });

  it('take time of the name times the pattern, where a regular expression of them goes back and forth', () => {
    const glob = `${'*a'.repeat(30)}b`;
    const file = 'a'.repeat(20_000);
    const begin = process.cpuUsage();
    expect(globMatcher(glob)(file)).toBe(false);
    expect(globMatcher(`${glob}*`)(`${file}c`)).toBe(false);
    const { user } = process.cpuUsage(begin);
    expect(user / 1000).toBeLessThan(2000);
  });

  it.each([
    ['a', 'x/a', true],
    ['a', 'a/x', false],
    ['/a', 'a', true],
    ['/a', 'x/a', false],
    ['a/b', 'x/a/b', true],
    ['a/b', 'xa/b', false],
    ['a/*', 'a/b/c', false],
    ['a/**', 'a', false],
    ['a/**', 'x/a/b/c', true],
    ['/a/**/b', 'a/b', true],
    ['/a/**/b', 'a/x/y/b', true],
    ['/a/**/b', 'a/x/y/bb', false],
    ['**', 'a/b', true],
    ['/**/a/**', 'a/b', true],
  ])('of paths: %s takes %s: %s', (glob, path, fits) => {
    expect(pathMatcher(glob)(path)).toBe(fits);
  });

  it('of paths takes time of at most path × glob', () => {
    expect(pathMatcher(`/${'**/a/'.repeat(50)}b`)('a/'.repeat(2000))).toBe(false);
  });
});
