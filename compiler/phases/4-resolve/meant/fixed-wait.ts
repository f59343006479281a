import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Fix } from '#schemas/types/fix.ts';

import type { Step } from '../../3-parse/ast.ts';
import { inSeconds } from '../../3-parse/in-seconds.ts';
import { valueAt } from '../../3-parse/routes.ts';

/** Words of other tools for a wait of a fixed time, in small letters and without dividers. */
const WAITS: ReadonlySet<string> = new Set([
  ...['delay', 'pause', 'sleep', 'timesleep', 'wait', 'waitfor', 'waitfortimeout', 'cywait'],
]);

/** Those whose numbers are milliseconds; of others, as large a number is none of seconds. */
const IN_MILLISECONDS: ReadonlySet<string> = new Set(['cywait', 'waitfortimeout']);
const MOST_SECONDS = 300;

/** Keys under which other tools hold the time. */
const UNITS: readonly string[] = ['duration', 'for', 'seconds', 'time', 'timeout'];

/** Seconds of a step that only waits, as other tools have it: `sleep: 3`, `Sleep    3s`, `wait: {seconds: 3}`. */
export function secondsWaited({ command, positional, keywords }: Step): number | undefined {
  const [, name = '', behind] = /^([A-Za-z_. ]*[A-Za-z])(?:\s+(\d[\d.]*\s?[a-z]*))?$/i.exec(command) ?? [];
  const word = name.toLowerCase().replaceAll(/[-_. ]/g, '');
  if (!WAITS.has(word)) return undefined;
  const written = keywords ?? positional?.[0] ?? behind ?? null;
  const value = isObject(written) ? timeOf(written) : written;
  if (value === null) return 1;
  const seconds = inSeconds(value, IN_MILLISECONDS.has(word) ? 0.001 : 1);
  if (typeof value !== 'number' || seconds === undefined || seconds < MOST_SECONDS) return seconds;
  return seconds / 1000;
}

function timeOf(written: JsonObject): Json {
  const [only, ...others] = Object.entries(written);
  if (only === undefined) return null;
  if (others.length > 0) return '';
  return UNITS.includes(only[0].toLowerCase()) ? only[1] : written;
}

/** Leaves the wait out, and lets the step behind it try again for as long at least. */
export function asRetry(
  { list, index }: Step,
  seconds: number,
  document: Json,
  isCommand: (name: string) => boolean,
): readonly Fix[] {
  const steps = valueAt(document, list.route);
  if (list.kind === 'graph' || !isList(steps) || steps.length === 1) return [];
  const wait = { kind: 'remove', route: [...list.route, index] } as const;
  const next = steps[index + 1] ?? null;
  if (!isObject(next) || Object.hasOwn(next, 'retry') || !Object.keys(next).some(isCommand))
    return [{ title: 'leave it out', safety: 'unsafe', operations: [wait] }];
  const retry = { interval_s: 1, max_s: Math.max(10, Math.ceil(seconds * 3)) };
  const insert = { kind: 'insert', route: [...list.route, index + 1], key: 'retry', value: retry } as const;
  const title = `leave it out, and give the next step retry: {interval_s: ${retry.interval_s}, max_s: ${retry.max_s}}`;
  return [{ title, safety: 'unsafe', operations: [wait, insert] }];
}
