/** Conditions that only a value of a type meets, by words of other tools for the type. */
const TESTS: Readonly<Record<string, (value: string) => string>> = {
  array: (value) => `len(${value}) >= 0`,
  boolean: (value) => `(${value} == true || ${value} == false)`,
  null: (value) => `${value} == null`,
  // A text compared with a number fails.
  number: (value) => `num(${value}) == ${value}`,
  object: (value) => `len(${value}) >= 0`,
  string: (value) => `matches(${value}, /^/)`,
  uuid: (value) => `matches(${value}, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)`,
};

const OTHER_WORDS: Readonly<Record<string, string>> = {
  ...{ bool: 'boolean', collection: 'array', dict: 'object', float: 'number', int: 'number', integer: 'number' },
  ...{ list: 'array', map: 'object', text: 'string' },
};

/** The condition that a value is of a type: `string`, `Integer`, `isList`. */
export function typeTest(type: string, value: string): string | undefined {
  const word = type.toLowerCase();
  const name = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : word;
  return name !== undefined && Object.hasOwn(TESTS, name) ? TESTS[name]?.(value) : undefined;
}
