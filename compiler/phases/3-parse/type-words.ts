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

const OTHER_NAMES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  dict: 'object',
  double: 'number',
  float: 'number',
  int: 'integer',
  list: 'array',
  map: 'object',
  str: 'string',
  text: 'string',
};

/** The JSON type that a word names, also in the words of programming languages. */
export function jsonType(word: string): string | undefined {
  const name = word.toLowerCase();
  if (Object.hasOwn(TYPE_WORDS, name)) return name;
  return Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
}
