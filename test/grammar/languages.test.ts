import { describe, expect, it } from 'vitest';

import type { Json } from '#schemas/types/json.ts';

import { casesOf, settle } from './case-file.ts';
import { languages } from './languages.ts';
import type { Language } from './languages.ts';

for (const language of languages) {
  const file = new URL(`${language.name}/cases.yaml`, import.meta.url);
  const cases = await casesOf(file);
  describe(language.name, () => {
    for (const one of cases) {
      it(one.name, async () => {
        await settle(file, one, outcome(language, one.input));
        holdsTogether(language, one.input);
      });
    }
  });
}

/** The canonical text and the tree of what is sound; the problems of what is not, each with its place. */
function outcome(language: Language, input: string): Json {
  const { tree, problems } = language.parse(input);
  const found = problems.map(({ key, from, to, found: what, expected, nearest }) =>
    [
      `${key} ${from}-${to}`,
      what && `found ${what}`,
      expected && `expected ${expected}`,
      nearest && `nearest ${nearest}`,
    ]
      .filter(Boolean)
      .join(', '),
  );
  return JSON.parse(
    JSON.stringify({ ...(tree === undefined ? {} : { tree }), ...(found.length === 0 ? {} : { problems: found }) }),
  ) as Json;
}

/** The scanner agrees with the grammar, and what is printed reads back as the same tree. */
function holdsTogether(language: Language, input: string): void {
  const { tree, problems } = language.parse(input);
  const scanned = language.scan(input);
  if (scanned !== undefined) expect({ scanned, problems }).toEqual({ scanned: tree, problems: [] });
  if (tree === undefined || problems.length > 0) return;
  const printed = language.print(tree as never);
  expect(language.parse(printed)).toMatchObject({ tree, problems: [] });
  expect(language.print(language.parse(printed).tree as never)).toBe(printed);
}
