import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

/** A `--var`: text as the shell gave it, or JSON behind `:=`. */
export type GivenVariable = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'json'; readonly value: Json };

const form = /^([A-Za-z_][A-Za-z0-9_]*)(:?=)([\s\S]*)$/;

/** Reads `NAME=TEXT` and `NAME:=JSON`; the last one of a name wins. */
export function readVariables(given: readonly string[]): Readonly<Record<string, GivenVariable>> {
  return Object.fromEntries(given.map(readVariable));
}

function readVariable(given: string): readonly [string, GivenVariable] {
  const [, name, sign, text] = form.exec(given) ?? [];
  if (name === undefined || text === undefined) throw fail.variableNotReadable({ given, reason: 'there is no NAME= before its value' });
  if (sign === '=') return [name, { kind: 'text', text }];
  try {
    return [name, { kind: 'json', value: JSON.parse(text) as Json }];
  } catch (error) {
    throw fail.variableNotReadable({ given: `${name}:=…`, reason: `the value is not JSON (${(error as Error).message})` });
  }
}
