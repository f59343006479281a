import { once } from '#grammar/language/once.ts';
import type { Problem } from '#grammar/language/problem.ts';

/**
 * The door of JSONPath (RFC 9535), whose grammar is that of a library: read here only to say at compile time what is wrong
 * with an expression. Commands evaluate it through the port `jsonPath`.
 */
const library = once(async () => (await import('json-p3')).jsonpath);

export type JsonPathProblem = Problem<'unreadable'>;

/** Loads the library; call it before `jsonPathProblem`. */
export async function prepareJsonPath(): Promise<void> {
  await library.load();
}

/** What is wrong with an expression; `found` is the library's reason. Undefined: nothing, or nothing was prepared. */
export function jsonPathProblem(text: string): JsonPathProblem | undefined {
  const jsonpath = library.loaded;
  if (jsonpath === undefined) return undefined;
  try {
    new jsonpath.JSONPathEnvironment().compile(text);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof jsonpath.JSONPathError)) throw cause;
    const from = Math.min(cause.token.index, text.length);
    const reason = cause.message.replace(/\s*\('.*\)$/s, '');
    return {
      key: 'unreadable',
      from,
      to: Math.min(text.length, from + Math.max(1, cause.token.value.length)),
      found: reason,
    };
  }
}
