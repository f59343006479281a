import * as fail from '#schemas/generated/failures.ts';

import { typeName } from '../values/type-name.ts';

/** The keys of a control form as they were filled. */
export type Header = Readonly<Record<string, unknown>>;

export interface NumberRule {
  /** The number itself is allowed. */
  readonly least?: number;
  readonly above?: number;
  readonly isWhole?: true;
}

/** A number of a form's header; undefined where it is not given. */
export function numberOf(word: string, header: Header, key: string, rule: NumberRule = {}): number | undefined {
  const value = header[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && fits(value, rule)) return value;
  const actual = typeof value === 'number' ? String(value) : typeName(value);
  throw fail.controlValueUnfit({ word, key, expected: expectedOf(rule), actual });
}

function fits(value: number, { least = -Infinity, above = -Infinity, isWhole }: NumberRule): boolean {
  return Number.isFinite(value) && value >= least && value > above && (!isWhole || Number.isInteger(value));
}

function expectedOf({ least, above, isWhole }: NumberRule): string {
  const kind = isWhole ? 'a whole number' : 'a number';
  if (least !== undefined) return `${kind} from ${least}`;
  return above === undefined ? kind : `${kind} above ${above}`;
}
