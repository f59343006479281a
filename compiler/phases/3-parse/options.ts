import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { OnFailure } from '#schemas/types/plan.ts';

import { isStepOption, type StepOption } from '../1-read/vocabulary.ts';

import type { StepOptions } from './ast.ts';
import { captures } from './captures.ts';
import { given, label, oneOf, placeOf, seconds, text, texts, wrong, type Owner } from './fields.ts';
import { conditionInside, conditionMeant, writing, writingOneOf, type Meant } from './meant.ts';
import { isStepId } from './names.ts';
import { retry } from './retry.ts';
import { ON_FAILURE, onFailureInside, WORDS_FOR_FAILURES } from './words-for-failures.ts';

/** Options that an AT_ command may also carry among its parameters (AT "Action and action file"). */
export const AMONG_PARAMETERS: readonly string[] = ['id', 'depends_on', 'tags'];
export function onFailure(owner: Owner): OnFailure | undefined {
  const value = given(owner, 'on_failure');
  if (value === undefined || typeof value === 'string')
    return oneOf(owner, 'on_failure', ON_FAILURE, WORDS_FOR_FAILURES);
  const route = [...owner.route, 'on_failure'];
  // A truth says neither: that the failure counts, or that the rest goes on.
  const inside = onFailureInside(value);
  const meant =
    typeof value === 'boolean' ? writingOneOf(route, ON_FAILURE) : inside && writing(route, inside, 'unsafe');
  return wrong(owner, ['on_failure'], '"continue" or "stop"', value, meant);
}

type Readers = { readonly [Option in StepOption]: (owner: Owner) => StepOptions[Option] | undefined };
const READERS: Readers = {
  id,
  name: (owner) => label(owner, 'name'),
  tags: (owner) => texts(owner, 'tags', true),
  depends_on: (owner) => texts(owner, 'depends_on', true),
  when,
  expect,
  save_as: captures,
  retry,
  timeout_s: (owner) => seconds(owner, 'timeout_s'),
  on_failure: onFailure,
};

/** Reads the options that stand in `owner.object`; other keys of it are left to the caller. */
export function stepOptions(owner: Owner): StepOptions | undefined {
  let options: Record<string, unknown> | undefined;
  for (const key in owner.object) {
    if (!isStepOption(key)) continue;
    const value = READERS[key](owner);
    if (value !== undefined) (options ??= {})[key] = value;
  }
  return options satisfies StepOptions | undefined;
}

function id(owner: Owner): string | undefined {
  const value = text(owner, 'id');
  if (value === undefined || isStepId(value)) return value;
  owner.report(d.badStepId({ at: placeOf(owner, 'id'), id: value }));
  return undefined;
}

function when(owner: Owner): string | undefined {
  const value = given(owner, 'when');
  return value === undefined ? undefined : condition(owner, ['when'], value);
}

function expect(owner: Owner): StepOptions['expect'] {
  const value = given(owner, 'expect');
  if (value === undefined) return undefined;
  if (isObject(value))
    return [wrong(owner, ['expect'], 'a condition, or a list of them', value, meantBy(value, owner, ['expect']))];
  if (!isList(value)) return [condition(owner, ['expect'], value)];
  if (value.length === 0) return wrong(owner, ['expect'], 'a condition, or a list of them', value);
  return value.map((each, index) => condition(owner, ['expect', index], each));
}

/** `true` and `false` may stand there as such. */
export function condition(owner: Owner, route: Route, value: Json): string | undefined {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value;
  const meant = isStatus(value) && route[0] === 'expect' ? { status_code: value } : value;
  const whole = [...owner.route, ...route];
  const inside = route[0] !== 'expect' && conditionInside(value);
  const cure = inside
    ? writing(whole, inside, 'unsafe')
    : isObject(meant)
      ? meantBy(meant, owner, route)
      : conditionMeant(value, whole);
  return wrong(owner, route, 'a condition', value, cure);
}

/** `expect: 200` */
function isStatus(value: Json): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value < 600;
}

/** `{status_code: 200}` as the comparisons that it stands for; in `expect` they are about the step's own result. */
function meantBy(written: JsonObject, owner: Owner, route: Route): Meant | undefined {
  const torn = tornAtColon(written);
  if (torn !== undefined) return writing([...owner.route, ...route], torn, 'unsafe');
  const prefix = route[0] === 'expect' ? 'result' : '';
  const conditions = Object.entries(written).flatMap(([key, value]) => comparisons(pathTo(prefix, key), value));
  if (conditions.length === 0 || conditions.includes(undefined)) return undefined;
  const value = route.length === 1 && prefix !== '' && conditions.length > 1 ? conditions : conditions.join(' && ');
  const text = conditions.join(' && ');
  const operations: Fix['operations'] = [{ kind: 'replace', route: [...owner.route, ...route], value: value as Json }];
  return { text, fixes: [{ title: `write ${text}`, safety: 'unsafe', operations }] };
}

/** `result == {id: 7}` without quotes, which YAML takes for a key and its value. */
function tornAtColon(written: JsonObject): string | undefined {
  const [[key, value] = ['', null], ...others] = Object.entries(written);
  const isTorn = others.length === 0 && /[=!<>(].*\{/.test(key) && typeof value === 'string' && value.includes('}');
  return isTorn ? `${key}: ${value}` : undefined;
}

function comparisons(path: string, value: Json): readonly (string | undefined)[] {
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => comparisons(pathTo(path, key), inner));
  return [isList(value) ? undefined : `${path} == ${JSON.stringify(value)}`];
}

function pathTo(owner: string, key: string): string {
  const isPlain = /^[A-Za-z_][\w.]*$/.test(key);
  if (owner === '' || key === 'result' || key.startsWith('result.'))
    return isPlain ? key : `{{${JSON.stringify(key)}}}`;
  return isPlain ? `${owner}.${key}` : `${owner}[${JSON.stringify(key)}]`;
}
