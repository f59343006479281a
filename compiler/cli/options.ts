import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments } from '#schemas/types/cli.ts';

type Options = ParsedArguments['options'];

/** The value of an option that is given at most once. */
export function one(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** File that `--output` or `--out` names; undefined for standard output, which `-` stands for, too. */
export function outputOf(options: Options): string | undefined {
  const path = one(options, 'output') ?? one(options, 'out');
  return path === '-' ? undefined : path;
}

/** The values of an option that may be repeated. */
export function many(options: Options, name: string): readonly string[] {
  const value = options[name];
  return value === undefined || value === true ? [] : typeof value === 'string' ? [value] : value;
}

/** A count whose default the declaration gives. */
export function count(options: Options, name: string): number {
  return Number(one(options, name) ?? '0');
}

/** A number whose default the declaration gives. */
export function number(options: Options, name: string): number {
  return maybeNumber(options, name) ?? 0;
}

/** The number of an option; undefined where it is not given. Fails for anything that is no number from 0 upwards. */
export function maybeNumber(options: Options, name: string): number | undefined {
  const text = one(options, name);
  if (text === undefined) return undefined;
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw fail.valueNotANumber({ option: name, given: text });
  return Number(text);
}

/** Fails where what a verb cannot do without was not given. */
export function need(isGiven: boolean, verb: string, what: string): void {
  if (!isGiven) throw fail.argumentMissing({ verb, argument: what });
}
