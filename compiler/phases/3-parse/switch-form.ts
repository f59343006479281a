import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { isStepOption } from '../1-read/vocabulary.ts';

import type { Reading } from './reading.ts';

/** Keys beside `switch` under which other languages hold what is done for each value, and for all others. */
const CASES: readonly string[] = ['case', 'cases'];
const DEFAULTS: readonly string[] = ['default', 'else', 'otherwise'];

/** Reports a step that chooses among values, as other languages have it: conditions choose here. */
export function isSwitch(step: JsonObject, route: Route, { source, report, isCommand }: Reading): boolean {
  if (!Object.hasOwn(step, 'switch') || Object.keys(step).some(isCommand)) return false;
  const at = { source, route: [...route, 'switch'], part: 'key' } as const;
  const value = asIfs(step);
  // Comments between the keys are lost.
  const operations = [{ kind: 'replace', route, value: value ?? null }] as const;
  const fixes: readonly Fix[] =
    value === undefined ? [] : [{ title: 'write it as an if for each case', safety: 'unsafe', operations }];
  report(d.switchForm({ at, fixes }));
  return true;
}

/** An `if` for each case, each in the `else` of the one before. */
function asIfs(step: JsonObject): JsonObject | undefined {
  const keys = Object.keys(step).filter((key) => key !== 'switch' && !isStepOption(key));
  const cases = keys.filter((key) => CASES.includes(key));
  const rest = keys.filter((key) => DEFAULTS.includes(key));
  const subject = pathOf(step['switch'] ?? null);
  const held = step[cases[0] ?? ''] ?? null;
  if (subject === undefined || cases.length !== 1 || cases.length + rest.length < keys.length || !isObject(held))
    return undefined;
  const written = Object.entries(held);
  const options = Object.fromEntries(Object.entries(step).filter(([key]) => isStepOption(key)));
  const others = written.filter(([name]) => DEFAULTS.includes(name)).map(([, steps]) => steps);
  const last = [...others, ...rest.map((key) => step[key] ?? null)].find((steps) => steps !== null);
  const named = written.filter(([name]) => !DEFAULTS.includes(name));
  const whole = named.reduceRight<Json>(
    (after, [name, steps]) => [
      { if: `${subject} == ${literal(name)}`, then: asList(steps), ...(after !== null && { else: asList(after) }) },
    ],
    last ?? null,
  );
  const [first] = isList(whole) ? whole : [];
  return named.length > 0 && isObject(first) ? { ...first, ...options } : undefined;
}

/** The path of a reference, or a path as it stands. */
function pathOf(value: Json): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  const inside = (/^\{\{([^{}]+)\}\}$/.exec(text)?.[1] ?? text).trim();
  return /^[A-Za-z_][\w.[\]]*$/.test(inside) || /^\$\{[\w.:]+\}$/.test(inside) ? inside : undefined;
}

/** A key that reads as a number or a truth is one where other languages compare it. */
function literal(name: string): string {
  return /^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(name) ? name : JSON.stringify(name);
}

function asList(steps: Json): Json {
  return isList(steps) ? steps : [steps];
}
