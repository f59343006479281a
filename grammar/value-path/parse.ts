import type { Route } from '#schemas/types/place.ts';
import { Cursor } from '#grammar/language/cursor.ts';
import { once } from '#grammar/language/once.ts';
import type { Problem } from '#grammar/language/problem.ts';
import { scanPath, scanSteps } from '#grammar/reference/scan.ts';

export type PathProblemKey = 'empty' | 'unexpected' | 'incomplete' | 'unreadable';
export type PathProblem = Problem<PathProblemKey>;

export interface ParsedPath {
  /** Absent where there is a problem. */
  readonly path?: Route;
  readonly problems: readonly PathProblem[];
}

/**
 * The door of paths into a result (`save_as: {path: json.items[0].id}`): those of references, which may also begin with
 * an index. They share the scanner and the grammar of references.
 */
const grammar = once(async () => (await import('./parser.ts')).makePathGrammar());

/** Loads the grammar if one of the texts needs it. */
export async function preparePaths(texts: Iterable<string>): Promise<void> {
  for (const text of texts) if (scanValuePath(text) === undefined) return void (await grammar.load());
}

/** Reads a path. Never throws; without `preparePaths` a problem is `unreadable` instead of exact. */
export function parsePath(text: string): ParsedPath {
  const path = scanValuePath(text);
  if (path !== undefined) return { path, problems: [] };
  return grammar.loaded?.(text) ?? { problems: [{ key: 'unreadable', from: 0, to: text.length }] };
}

/** Reads a well-formed path without the grammar; undefined for any other text. */
export function scanValuePath(text: string): Route | undefined {
  const cursor = new Cursor(text);
  cursor.blanks();
  const index = cursor.match(/\[[ \t\r\n]*(?:0|[1-9][0-9]{0,9})[ \t\r\n]*\]/y);
  const path = index === undefined ? scanPath(cursor) : scanSteps(cursor, Number(index.slice(1, -1)));
  cursor.blanks();
  return cursor.isAtEnd ? path : undefined;
}
