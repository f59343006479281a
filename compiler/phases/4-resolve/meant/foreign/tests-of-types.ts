/** Conditions that only a value of a type meets, by words of other tools for it; lists and objects have none. */
const TESTS: Readonly<Record<string, (value: string) => string>> = {
  boolean: (value) => `(${value} == true || ${value} == false)`,
  null: (value) => `${value} == null`,
  // A text compared with a number fails.
  number: (value) => `num(${value}) == ${value}`,
  // One that is empty is no answer to the question either.
  string: (value) => `matches(${value}, /./)`,
  uuid: (value) => `matches(${value}, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)`,
};

const OTHER_WORDS: Readonly<Record<string, string>> = {
  ...{ bool: 'boolean', float: 'number', int: 'number', integer: 'number', text: 'string' },
};

/** The condition that a value is of a type: `string`, `Integer`, `isList`. */
export function typeTest(type: string, value: string): string | undefined {
  const word = type.toLowerCase();
  const name = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : word;
  return name !== undefined && Object.hasOwn(TESTS, name) ? TESTS[name]?.(value) : undefined;
}
