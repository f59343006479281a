/** The scheme of an address in small letters; empty for a path. One letter before a colon is a drive. */
export function schemeOf(text: string): string {
  return /^([a-z][a-z0-9+.-]+):\/\//i.exec(text)?.[1]?.toLowerCase() ?? '';
}

type Choices = Readonly<Record<string, unknown>>;

/** The same, where what is chosen from also stands before a colon alone (`memory:notes.txt`). */
export function schemeAmong(choices: Choices, text: string): string {
  const scheme = schemeOf(text);
  if (scheme !== '') return scheme;
  const word = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase() ?? '';
  return word !== '' && Object.hasOwn(choices, word) ? word : '';
}

/** The scheme of all texts that begin in this way; undefined where what follows decides. */
export function schemeOfBeginning(beginning: string, choices: Choices = {}): string | undefined {
  const scheme = schemeAmong(choices, beginning);
  if (scheme !== '') return scheme;
  return /^(?:[a-z]|[a-z][a-z0-9+.-]+(?::\/?)?)?$/i.test(beginning) ? undefined : '';
}

/** The provider that a port chooses for an address or a path; undefined where it has none for that scheme. */
export function chosenBy<Provider extends string>(
  choices: Readonly<Record<string, Provider>>,
  text: string,
): Provider | undefined {
  const scheme = schemeAmong(choices, text);
  return Object.hasOwn(choices, scheme) ? choices[scheme] : undefined;
}
