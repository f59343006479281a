import { once } from '#grammar/language/once.ts';
import type { Problem } from '#grammar/language/problem.ts';

import { beyondStandard } from './beyond-standard.ts';

/**
 * The door of JSONPath (RFC 9535), whose grammar is that of a library: read here only to say at compile time what is
 * wrong with an expression. Commands evaluate it through the port `jsonPath`.
 */
const library = once(async () => (await import('json-p3')).jsonpath);

export type JsonPathProblem = Problem<'unreadable'>;

/** Loads the library; call it before `jsonPathProblem`. */
export async function prepareJsonPath(): Promise<void> {
  await library.load();
}

/**
 * Characters of an expression, parentheses and brackets inside one another, and operators: its reader calls itself for
 * each.
 */
const MOST_CHARACTERS = 20_000;
const MOST_DEPTH = 50;
const MOST_OPERATORS = 500;

/** Reason why an expression is too large to be read; undefined where it is not. Linear. */
export function jsonPathExcess(text: string): string | undefined {
  if (text.length > MOST_CHARACTERS) return `it has more than ${MOST_CHARACTERS} characters`;
  let [depth, operators] = [0, 0];
  for (const [sign] of text.matchAll(/'(?:[^'\\]|\\.){0,20000}'|"(?:[^"\\]|\\.){0,20000}"|[([]|[)\]]|&&|\|\||!/gs)) {
    if (sign === '(' || sign === '[') depth += 1;
    else if (sign === ')' || sign === ']') depth -= 1;
    else if (sign === '&&' || sign === '||' || sign === '!') operators += 1;
    if (depth > MOST_DEPTH) return `brackets and parentheses stand more than ${MOST_DEPTH} deep in one another`;
    if (operators > MOST_OPERATORS) return `it has more than ${MOST_OPERATORS} operators`;
  }
  return undefined;
}

/** Mistake in an expression; `found` is the library's reason. Undefined: none, or nothing was prepared. */
export function jsonPathProblem(text: string): JsonPathProblem | undefined {
  const jsonpath = library.loaded;
  if (jsonpath === undefined) return undefined;
  const excess = jsonPathExcess(text);
  if (excess !== undefined) return { key: 'unreadable', from: 0, to: text.length, found: excess };
  try {
    new jsonpath.JSONPathEnvironment().compile(text);
    const beyond = beyondStandard(text);
    return beyond && { key: 'unreadable', from: beyond.at, to: text.length, found: beyond.reason };
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
