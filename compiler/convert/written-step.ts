import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { isStepOption } from '../phases/1-read/vocabulary.ts';

/** A call as it is written: its name, parameters by position and by name, and the step options beside it. */
export interface WrittenStep {
  readonly form: 'name' | 'array' | 'object';
  readonly name: string;
  readonly positional: readonly Json[] | undefined;
  readonly keywords: JsonObject | undefined;
  readonly options: JsonObject;
}

/** Reads a call in any of its forms; undefined for what is none (a control form, a mistake). */
export function readWritten(value: Json, isCommand: (name: string) => boolean): WrittenStep | undefined {
  if (typeof value === 'string') return made('name', value);
  if (isList(value)) return ofArray(value);
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  const commands = keys.filter((key) => !isStepOption(key));
  const [name, second] = commands;
  if (name === undefined || second !== undefined || !isCommand(name)) return undefined;
  const given = value[name] ?? null;
  const options = Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  if (given === null) return made('object', name, undefined, undefined, options);
  if (isObject(given)) return made('object', name, undefined, given, options);
  return made('object', name, isList(given) ? given : [given], undefined, options);
}

function ofArray(value: readonly Json[]): WrittenStep | undefined {
  const [name, first, second] = value;
  if (typeof name !== 'string' || value.length > 3) return undefined;
  if (first === undefined) return made('array', name);
  if (isList(first)) {
    if (second !== undefined && !isObject(second)) return undefined;
    return made('array', name, first, second);
  }
  if (!isObject(first) || (second !== undefined && !isObject(second))) return undefined;
  return made('array', name, undefined, first, second);
}

function made(
  form: WrittenStep['form'],
  name: string,
  positional?: readonly Json[],
  keywords?: JsonObject,
  options: JsonObject = {},
): WrittenStep {
  return { form, name, positional, keywords, options };
}

/**
 * Whether the parameters can stand so in that form: an array has no place for options behind positions, an object none
 * for names behind them.
 */
export function canStand({ positional, keywords, options }: WrittenStep, form: 'array' | 'object'): boolean {
  if (positional === undefined) return true;
  return form === 'array' ? Object.keys(options).length === 0 : keywords === undefined;
}

/** The step as a value in one of the forms; it must be able to stand so. */
export function printWritten(step: WrittenStep): Json {
  const { form, name, positional, keywords, options } = step;
  const hasOptions = Object.keys(options).length > 0;
  if (form === 'object') return { [name]: positional ?? keywords ?? null, ...options };
  if (form === 'name' && positional === undefined && keywords === undefined && !hasOptions) return name;
  if (hasOptions) return [name, keywords ?? {}, options];
  if (positional !== undefined) return keywords === undefined ? [name, positional] : [name, positional, keywords];
  return keywords === undefined ? [name] : [name, keywords];
}
