import type { Route } from '#schemas/types/place.ts';

import { pathText } from './path.ts';
import { typeName } from './type-name.ts';

/** Places that are told, and characters of a value that is shown; a longer one is told by its place alone. */
const MOST_PLACES = 3;
const LONGEST_VALUE = 60;
/** Characters up to which two values beside one another are compared at a glance. */
const GLANCE = 120;

/** A sentence on where two lists or objects differ; undefined for other values, and for short ones. */
export function whereTheyDiffer(actual: unknown, expected: unknown): string | undefined {
  if (pairOf(actual, expected) === undefined) return undefined;
  if (JSON.stringify(actual).length + JSON.stringify(expected).length <= GLANCE) return undefined;
  const places: string[] = [];
  const count = eachDifference(actual, expected, [], (text) => {
    if (places.length < MOST_PLACES) places.push(text);
  });
  if (count === 0 || places[0] === undefined) return undefined;
  const more = count > places.length ? `; and ${count - places.length} more` : '';
  return `They differ in ${count === 1 ? '1 place' : `${count} places`}: ${places.join('; ')}${more}.`;
}

/** Calls back for each place, with what is there; yields their number. Stops going down where the kinds differ. */
function eachDifference(actual: unknown, expected: unknown, at: Route, tell: (text: string) => void): number {
  if (actual === expected) return 0;
  const sides = pairOf(actual, expected);
  if (sides === undefined) {
    tell(`${pathText('', at)} is ${shown(actual)}, expected ${shown(expected)}`);
    return 1;
  }
  const [found, wanted] = sides;
  let count = 0;
  for (const [key, value] of found)
    if (wanted.has(key)) count += eachDifference(value, wanted.get(key), [...at, key], tell);
    else {
      count += 1;
      tell(`${pathText('', [...at, key])} is ${shown(value)}, expected nothing there`);
    }
  for (const [key, value] of wanted)
    if (!found.has(key)) {
      count += 1;
      tell(`${pathText('', [...at, key])} is not there, expected ${shown(value)}`);
    }
  return count;
}

type Entries = ReadonlyMap<string | number, unknown>;

/** Values inside two lists or two objects, by index or key; undefined where they are not both the one or the other. */
function pairOf(actual: unknown, expected: unknown): readonly [Entries, Entries] | undefined {
  if (Array.isArray(actual) && Array.isArray(expected)) return [new Map(actual.entries()), new Map(expected.entries())];
  if (Array.isArray(actual) || Array.isArray(expected)) return undefined;
  if (!isPlain(actual) || !isPlain(expected)) return undefined;
  return [new Map(Object.entries(actual)), new Map(Object.entries(expected))];
}

/** Whether it is an object of JSON: a live one may lead anywhere. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A value where it is short; whole, since of a secret that is cut nobody would know. */
function shown(value: unknown): string {
  const text = String(JSON.stringify(value));
  return text.length <= LONGEST_VALUE ? text : typeName(value);
}
