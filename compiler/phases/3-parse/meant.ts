import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/** Value that was likely meant by another one, as people write it (absent: several could be), and its fixes. */
export interface Meant {
  readonly text?: string;
  readonly fixes: readonly Fix[];
}

/** A value that was meant, and the fix that writes it at a route. */
export function writing(route: Route, value: Json, safety: Fix['safety'], text = shortText(value)): Meant {
  return { text, fixes: [{ title: `write ${text}`, safety, operations: [{ kind: 'replace', route, value }] }] };
}

/** One of several values that may have been meant: a fix for each. */
export function writingOneOf(route: Route, values: readonly Json[]): Meant {
  return { fixes: values.flatMap((value) => writing(route, value, 'unsafe').fixes) };
}

/** `[a, b]`, `{from: 1, to: 3}`, `5`: a value on one line, texts without quotes. */
function shortText(value: Json): string {
  if (isList(value)) return `[${value.map(shortText).join(', ')}]`;
  if (!isObject(value)) return String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${key}: ${shortText(each)}`)
    .join(', ')}}`;
}

/** `"3"`, and `3x` or `3 times`, as the number that it counts. */
export function countMeant(value: Json, route: Route): Meant | undefined {
  const [, digits, word = ''] = typeof value === 'string' ? (/^(\d{1,9}) ?(x|times?)?$/i.exec(value.trim()) ?? []) : [];
  if (digits === undefined || Number(digits) === 0) return undefined;
  return writing(route, Number(digits), word === '' ? 'safe' : 'unsafe');
}

/** Attempts of a step where a truth, or a number of attempts in other words, stands for them; one is no retry. */
export function attemptsMeant(value: Json, route: Route): Meant | undefined {
  if (value === true) return writing(route, 3, 'unsafe');
  if (value === false || value === 0) return writing(route, 1, 'safe');
  return countMeant(value, route);
}

const TRUTHS: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, y: true },
  ...{ false: false, no: false, off: false, n: false },
};

/** The truth that a word of YAML 1.1, or a truth in quotes, stands for. */
export function truthOfWord(value: Json): boolean | undefined {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  return Object.hasOwn(TRUTHS, word) ? TRUTHS[word] : undefined;
}

/** A number or a truth that is a name, in quotes. */
export function quotedMeant(value: Json, route: Route): Meant | undefined {
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const text = String(value);
  return writing(route, text, Number.isInteger(value) ? 'safe' : 'unsafe', `"${text}"`);
}

/** Several conditions, all of which must hold, as one; a number that stands for a truth. */
export function conditionMeant(value: Json, route: Route): Meant | undefined {
  if (value === 0 || value === 1) return writing(route, value === 1, 'unsafe');
  const text = isList(value) ? joined(value, '&&') : undefined;
  return text === undefined ? undefined : writing(route, text, 'unsafe');
}

function joined(value: readonly Json[], operator: '&&' | '||'): string | undefined {
  const pieces = value.map((each) => (typeof each === 'string' && each.trim() !== '' ? each : conditionInside(each)));
  if (pieces.length === 0 || pieces.includes(undefined)) return undefined;
  const other = operator === '&&' ? '||' : '&&';
  return pieces
    .map((each = '') => (pieces.length > 1 && each.includes(other) ? `(${each})` : each))
    .join(` ${operator} `);
}

/** Keys under which other tools hold a condition. */
const CONDITION_KEYS: ReadonlySet<string> = new Set(['cond', 'condition', 'expr', 'expression', 'if', 'test', 'when']);

/** `{condition: a}`, `{not: a}`, `{all: [a, b]}` and `{any: [a, b]}`, as the condition that they stand for. */
export function conditionInside(value: Json): string | undefined {
  const [only, ...others] = isObject(value) ? Object.entries(value) : [];
  if (only === undefined || others.length > 0) return undefined;
  const [key, inside] = only;
  const isText = typeof inside === 'string' && inside.trim() !== '';
  if (CONDITION_KEYS.has(key)) return isText ? inside : undefined;
  if (key === 'not') return isText ? `!(${inside})` : undefined;
  if (!isList(inside)) return undefined;
  if (key === 'all' || key === 'and') return joined(inside, '&&');
  return key === 'any' || key === 'or' ? joined(inside, '||') : undefined;
}

/** One element of a list, or one value under another tool's key, in the place of that value alone. */
export function onlyMeant(value: Json, route: Route, keys: readonly string[]): Meant | undefined {
  const [only, ...others] = isList(value) ? value : isObject(value) ? under(value, keys) : [];
  return typeof only === 'string' && only !== '' && others.length === 0 ? writing(route, only, 'unsafe') : undefined;
}

function under(value: JsonObject, keys: readonly string[]): readonly Json[] {
  const entries = Object.entries(value);
  return entries.every(([key]) => keys.includes(key)) ? entries.map(([, each]) => each) : [];
}
