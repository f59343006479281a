import type { Fix } from '#schemas/types/fix.ts';
import { isList, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { writing } from '../3-parse/meant.ts';

import type { Problem } from './answer.ts';

/** The parameter that holds a program and its arguments. */
const LINE = 'command';

/** The words of a line that a shell would only split; undefined where it would do more. */
export function wordsOfLine(value: Json | undefined): readonly string[] | undefined {
  return typeof value === 'string' && /^[^"'`$|&;<>(){}*?~#!\\]*[^\s"'`$|&;<>(){}*?~#!\\]\s*$/.test(value)
    ? value.trim().split(/\s+/)
    : undefined;
}

/** Whether a parameter is given as one line where it takes the words one by one. */
export function isLine(parameter: string | undefined, value: Json | undefined): boolean {
  return parameter === LINE && typeof value === 'string' && /\s/.test(value.trim());
}

/**
 * Suggestion for a program and its arguments in one text, `command: npm test`: the words as a list. What only a shell
 * understands, `ls | wc -l`, is given to one.
 */
export function wordsMeant({ keyword, wanted, actual, route: inside }: Problem, route: Route): readonly Fix[] {
  const takesList = wanted === 'array' || (isList(wanted) && wanted.includes('array'));
  if (keyword !== 'type' || !takesList || inside.length !== 1 || inside[0] !== LINE) return [];
  const words = wordsOfLine(actual);
  if (words !== undefined) return writing(route, words, 'safe').fixes;
  return typeof actual === 'string' && !/\$\{|\{\{/.test(actual)
    ? writing(route, ['sh', '-c', actual], 'unsafe').fixes
    : [];
}
