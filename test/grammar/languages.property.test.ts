import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { printCondition } from '#grammar/condition/print.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { condition, mutated, ref, text } from './arbitraries.ts';
import { casesOf } from './case-file.ts';
import { languageNamed, languages } from './languages.ts';

const reference = languageNamed('reference');

describe('what is printed reads back as the same tree', () => {
  it('one reference', () => {
    fc.assert(
      fc.property(ref, (one) => {
        const printed = reference.print([one] as never);
        expect(reference.parse(printed)).toEqual({ tree: [one], problems: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('texts with references', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, ref), { maxLength: 6 }), (parts) => {
        const printed = reference.print(parts as never);
        const { tree, problems } = reference.parse(printed);
        fc.pre(!isGlued(parts));
        expect(problems).toEqual([]);
        expect(joined(tree as readonly (string | Ref)[])).toEqual(joined(parts));
      }),
      { numRuns: 500 },
    );
  });

  it('conditions', () => {
    const language = languageNamed('condition');
    fc.assert(
      fc.property(condition, (tree) => {
        expect(language.parse(printCondition(tree))).toMatchObject({ tree, problems: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('whatever was understood of any text', async () => {
    for (const language of languages) {
      const inputs = (await casesOf(new URL(`${language.name}/cases.yaml`, import.meta.url))).map(({ input }) => input);
      fc.assert(
        fc.property(mutated(fc.constantFrom(...inputs)), (input) => {
          const { tree, problems } = language.parse(input);
          if (tree === undefined || problems.length > 0) return;
          const printed = language.print(tree as never);
          expect(language.parse(printed)).toMatchObject({ tree, problems: [] });
        }),
        { numRuns: 300 },
      );
    }
  });
});

it('the scanners read only what the grammars read, and the same', async () => {
  for (const language of languages) {
    const inputs = (await casesOf(new URL(`${language.name}/cases.yaml`, import.meta.url))).map(({ input }) => input);
    fc.assert(
      fc.property(mutated(fc.constantFrom(...inputs)), (input) => {
        const scanned = language.scan(input);
        if (language.scansAll && scanned === undefined) expect(language.parse(input).problems).not.toEqual([]);
        if (scanned !== undefined)
          expect(language.parse(input)).toEqual({
            ...(language.name === 'condition' ? { refs: expect.anything() as unknown } : {}),
            tree: scanned,
            problems: [],
          });
      }),
      { numRuns: 400 },
    );
  }
});

it('every problem has a place in the text', async () => {
  for (const language of languages) {
    const inputs = (await casesOf(new URL(`${language.name}/cases.yaml`, import.meta.url))).map(({ input }) => input);
    fc.assert(
      fc.property(mutated(fc.constantFrom(...inputs)), (input) => {
        const { tree, problems } = language.parse(input);
        if (tree === undefined) expect(problems.length).toBeGreaterThan(0);
        for (const { from, to } of problems) {
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(to).toBeLessThanOrEqual(input.length);
        }
      }),
      { numRuns: 300 },
    );
  }
});

/** Neighbouring texts become one, empty ones nothing. */
function joined(parts: readonly (string | Ref)[]): readonly (string | Ref)[] {
  const result: (string | Ref)[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (typeof part === 'string' && typeof last === 'string') result[result.length - 1] = last + part;
    else if (part !== '') result.push(part);
  }
  return result.length === 0 ? [''] : result;
}

/**
 * A text that ends in `$`, `\` or `{` in front of a reference would escape it or belong to it: no parser yields that.
 */
function isGlued(parts: readonly (string | Ref)[]): boolean {
  const whole = joined(parts);
  return whole.some(
    (part, index) => typeof part === 'string' && typeof whole[index + 1] === 'object' && /[$\\{]$/.test(part),
  );
}
