import * as d from '#schemas/generated/diagnostics.ts';
import { isList, type Json } from '#schemas/types/json.ts';
import type { OnFailure } from '#schemas/types/plan.ts';

import { isStepOption, type StepOption } from '../1-read/vocabulary.ts';

import type { StepOptions } from './ast.ts';
import { captures } from './captures.ts';
import { given, oneOf, placeOf, seconds, text, texts, wrong, type Owner } from './fields.ts';
import { isStepId } from './names.ts';
import { retry } from './retry.ts';

/** What an AT_ command may also carry among its parameters (AT "Action and action file"). */
export const AMONG_PARAMETERS: readonly string[] = ['id', 'depends_on', 'tags'];
export const ON_FAILURE: readonly OnFailure[] = ['continue', 'stop'];

type Readers = { readonly [Option in StepOption]: (owner: Owner) => StepOptions[Option] | undefined };
const READERS: Readers = {
  id,
  name: (owner) => text(owner, 'name'),
  tags: (owner) => texts(owner, 'tags'),
  depends_on: (owner) => texts(owner, 'depends_on'),
  when,
  expect,
  save_as: captures,
  retry,
  timeout_s: (owner) => seconds(owner, 'timeout_s'),
  on_failure: (owner) => oneOf(owner, 'on_failure', ON_FAILURE),
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
  if (!isList(value)) return [condition(owner, ['expect'], value)];
  if (value.length === 0) return wrong(owner, ['expect'], 'a condition, or a list of them', value);
  return value.map((each, index) => condition(owner, ['expect', index], each));
}

/** `true` and `false` may stand there as such. */
function condition(owner: Owner, route: readonly (string | number)[], value: Json): string | undefined {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : wrong(owner, route, 'a condition', value);
}
