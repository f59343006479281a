/** Error of a pattern, which JSON Schema reads with the flag `u`; undefined where it has none. */
export function wrongPattern(text: string): Error | undefined {
  try {
    new RegExp(text, 'u');
    return undefined;
  } catch (cause) {
    return cause as Error;
  }
}
