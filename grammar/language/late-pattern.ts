/**
 * A pattern that is made when it is first asked for. One with letters of all alphabets takes V8 milliseconds, and most
 * texts need none.
 */
export function latePattern(source: string, flags: string): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= new RegExp(source, flags));
}
