import type { ParsedArguments } from '#schemas/types/cli.ts';

type Options = ParsedArguments['options'];

/** The value of an option that is given at most once. */
export function one(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
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
