import type { LoadedFile } from '#compiler/api.ts';
import { parseText, rangesOf } from '#grammar/reference/parse.ts';
import { linesOf } from '#grammar/source/lines.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/** A place where an action file reads an environment key. */
export interface UsedKey {
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Whether this use gives a default for an unset key, or asks by `exists` whether it is set. */
  readonly isOptional: boolean;
}

/** Every `${ENV.KEY}` of a file, in the order in which they stand. */
export function usedKeys({ source, text, document, migrated }: LoadedFile): readonly UsedKey[] {
  const own = migrated ?? document;
  if (own === undefined) return [];
  const lines = linesOf(text);
  const found: UsedKey[] = [];
  eachText(own.value, [], (value, route) => {
    const ranges = rangesOf(value);
    for (const [index, part] of parseText(value).parts.entries()) {
      if (typeof part === 'string' || part.ns !== 'ENV') continue;
      const range = ranges[index];
      const { line, column } = lines.position(own.spanAt(route, range ?? 'value').start);
      const isAsked = range !== undefined && /\bexists\(\s*$/.test(value.slice(0, range[0]));
      found.push({ key: part.name, file: source, line, column, isOptional: isAsked || part.default !== undefined });
    }
  });
  return found;
}

function eachText(value: Json, route: Route, visit: (text: string, route: Route) => void): void {
  if (typeof value === 'string') {
    if (value.includes('${ENV.')) visit(value, route);
  } else if (isList(value)) value.forEach((item, index) => eachText(item, [...route, index], visit));
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) eachText(item, [...route, key], visit);
}
