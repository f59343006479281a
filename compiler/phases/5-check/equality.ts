import { isList, isObject, type Json } from '#schemas/types/json.ts';

import type { Answer } from './answer.ts';
import { known } from './known.ts';
import type { Tokens } from '../4-resolve/tokens.ts';

/** Whether a written value will equal a plain one, deeply; `unknown` where a reference decides. */
export function equals(written: Json, plain: Json, tokens: Pick<Tokens, 'text'>): Answer {
  if (typeof written === 'string') return textEquals(written, plain, tokens);
  if (isList(written)) {
    if (!isList(plain) || plain.length !== written.length) return 'no';
    return every(written.map((item, index) => equals(item, plain[index] ?? null, tokens)));
  }
  if (isObject(written)) {
    if (!isObject(plain)) return 'no';
    const keys = Object.keys(written);
    if (keys.length !== Object.keys(plain).length || !keys.every((key) => Object.hasOwn(plain, key))) return 'no';
    return every(keys.map((key) => equals(written[key] ?? null, plain[key] ?? null, tokens)));
  }
  return written === plain ? 'yes' : 'no';
}

function textEquals(written: string, plain: Json, tokens: Pick<Tokens, 'text'>): Answer {
  const text = known(written, tokens);
  switch (text.kind) {
    case 'literal':
      return text.text === plain ? 'yes' : 'no';
    case 'mixed':
      return typeof plain === 'string' && [...plain].length >= text.least ? 'unknown' : 'no';
    case 'value':
    case 'outside':
      return 'unknown';
  }
}

/** Whether two written values of one list will be equal. */
export function areEqual(left: Json, right: Json, tokens: Pick<Tokens, 'text'>): Answer {
  const plain = literalOf(right, tokens);
  if (plain !== undefined) return equals(left, plain, tokens);
  const other = literalOf(left, tokens);
  return other === undefined ? 'unknown' : equals(right, other, tokens);
}

/** The value with escapes resolved; undefined where it holds references. */
export function literalOf(value: Json, tokens: Pick<Tokens, 'text'>): Json | undefined {
  if (typeof value === 'string') {
    const text = known(value, tokens);
    return text.kind === 'literal' ? text.text : undefined;
  }
  if (isList(value)) {
    const items = value.map((item) => literalOf(item, tokens));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, literalOf(item, tokens)] as const);
  return entries.every((entry): entry is readonly [string, Json] => entry[1] !== undefined)
    ? Object.fromEntries(entries)
    : undefined;
}

function every(answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no';
  return answers.includes('unknown') ? 'unknown' : 'yes';
}
