import { follow, Missing } from '#runtime/kernel/values/path.ts';
import type { Json } from '#schemas/types/json.ts';

import { PathError, readPath } from './read-path.ts';

/** A store of named values; names may hold dots and brackets. */
export interface Names {
  get(name: string): Json | undefined;
}

/**
 * The value of `name.path[0]`: the longest stored name wins, the rest is a path into its value. Undefined: there is
 * none.
 */
export function lookUp(expression: string, names: Names): Json | undefined {
  const whole = names.get(expression);
  if (whole !== undefined) return whole;
  for (let end = expression.length - 1; end > 0; end--) {
    if (expression[end] !== '.' && expression[end] !== '[') continue;
    const value = names.get(expression.slice(0, end));
    if (value !== undefined) return inside(value, expression, end);
  }
  return undefined;
}

function inside(value: Json, expression: string, end: number): Json | undefined {
  const rest = expression.slice(end);
  const path = readPath(rest.startsWith('.') ? rest.slice(1) : rest);
  if (path instanceof PathError) return undefined;
  const found = follow(value, path, expression.slice(0, end));
  return found instanceof Missing ? undefined : (found as Json);
}

/** The own entries of an object as names. */
export function namesOf(values: Readonly<Record<string, Json>>): Names {
  return { get: (name) => (Object.hasOwn(values, name) ? values[name] : undefined) };
}
