import type { Ref } from '#schemas/types/reference.ts';

import { literalText } from '../4-resolve/flow.ts';
import type { Tokens } from '../4-resolve/tokens.ts';

import type { JsonType } from './json-type.ts';

/** Knowledge of the compiler about a text that may hold references. */
export type Known =
  | { readonly kind: 'literal'; readonly text: string }
  /** Text with references in it: text for sure, of at least so many characters. */
  | { readonly kind: 'mixed'; readonly least: number }
  /** One reference: a value of these types, or of any. */
  | { readonly kind: 'value'; readonly types: ReadonlySet<JsonType> | undefined }
  /** Text from outside: read as JSON where only numbers or booleans are taken (`compiler/language/references.md`). */
  | { readonly kind: 'outside' };

const CONVERTED: Readonly<Record<NonNullable<Ref['convert']>, ReadonlySet<JsonType> | undefined>> = {
  int: new Set<JsonType>(['integer', 'number']),
  number: new Set<JsonType>(['integer', 'number']),
  bool: new Set<JsonType>(['boolean']),
  json: undefined,
};
const TEXT: ReadonlySet<JsonType> = new Set<JsonType>(['string']);

export function known(text: string, tokens: Pick<Tokens, 'text'>): Known {
  const parsed = tokens.text(text);
  const literal = literalText(text, tokens);
  if (parsed === undefined || literal !== undefined) return { kind: 'literal', text: literal ?? text };
  // Nobody knows what a broken reference was to be, and its own finding is enough.
  if (parsed.problems.length > 0) return { kind: 'value', types: undefined };
  const [only, second] = parsed.parts;
  if (only !== undefined && typeof only !== 'string' && second === undefined) return ofReference(only);
  const least = parsed.parts.reduce((sum, part) => sum + (typeof part === 'string' ? [...part].length : 0), 0);
  return { kind: 'mixed', least };
}

function ofReference(ref: Ref): Known {
  if (ref.convert !== undefined) return { kind: 'value', types: CONVERTED[ref.convert] };
  switch (ref.ns) {
    case 'var':
      return { kind: 'value', types: undefined };
    // The cells of JSON datasets have types of their own.
    case 'ROW':
    case 'MATRIX':
      return { kind: 'value', types: undefined };
    case 'ENV':
    case 'env':
      return { kind: 'outside' };
    case 'file':
    case 'date':
    case 'uuid':
    case 'run':
    case 'cwd':
    case 'root':
    case 'here':
    case 'event':
      return { kind: 'value', types: TEXT };
  }
}
