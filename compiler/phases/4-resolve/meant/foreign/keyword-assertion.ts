import { meantBy } from '#grammar/condition/other-calls.ts';
import { isList, type Json } from '#schemas/types/json.ts';

/** Keywords of Robot Framework that judge values, in small letters, and the conditions that they stand for. */
const KEYWORDS: readonly (readonly [form: RegExp, condition: (one: string, other: string) => string | undefined])[] = [
  [/^should be equal(?: as \w+)?$/, (one, other) => `${one} == ${other}`],
  [/^should not be equal(?: as \w+)?$/, (one, other) => `${one} != ${other}`],
  [/^should contain$/, (one, other) => `contains(${one}, ${other})`],
  [/^should not contain$/, (one, other) => `!contains(${one}, ${other})`],
  [/^should match regexp$/, (one, other) => meantBy('matches')?.(one, other)],
  [/^should start with$/, (one, other) => meantBy('startsWith')?.(one, other)],
  [/^should end with$/, (one, other) => meantBy('endsWith')?.(one, other)],
  [/^length should be$/, (one, other) => `len(${one}) == ${other}`],
  [/^should be empty$/, (one) => `len(${one}) == 0`],
  [/^should not be empty$/, (one) => `len(${one}) > 0`],
];

/** The condition that `Should Be Equal` with two values stands for. */
export function keywordMeant(name: string, values: readonly Json[]): string | undefined {
  const word = name.toLowerCase().replaceAll(/[_ ]+/g, ' ').trim();
  const [one, other] = values.map(written);
  if (one === undefined) return undefined;
  const [, condition] = KEYWORDS.find(([form]) => form.test(word)) ?? [];
  const takesTwo = condition !== undefined && condition.length === 2;
  return takesTwo && other === undefined ? undefined : condition?.(one, other ?? '');
}

/** A value as conditions have it: a reference stands without its braces, a text in quotes. */
function written(value: Json): string | undefined {
  if (isList(value) || (typeof value === 'object' && value !== null)) return undefined;
  if (typeof value !== 'string') return JSON.stringify(value);
  const [, path] =
    /^(?:\{\{\s*([\w.[\]]+)\s*\}\}|\$\{([\w.[\]]+)\})$/.exec(value)?.filter((each) => each !== undefined) ?? [];
  return path ?? JSON.stringify(value);
}
