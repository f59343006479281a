import { isList, type Json } from '#schemas/types/json.ts';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'an object',
};

/** JSON types as messages name them: `text`, `a list or null`. */
export function typeWords(wanted: Json): string {
  const types = isList(wanted) ? wanted.map(String) : [String(wanted)];
  const words = types
    .filter((type) => type !== 'integer' || !types.includes('number'))
    .map((type) => TYPE_WORDS[type] ?? type);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}
