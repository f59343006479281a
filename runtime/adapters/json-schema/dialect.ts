import type { JsonObject } from '#schemas/types/json.ts';

/** Dialects in the order in which they came: a keyword is known from one on, some only up to another. */
export const dialects = ['draft-06', 'draft-07', '2019-09', '2020-12'] as const;
export type Dialect = (typeof dialects)[number];

const names: Readonly<Record<string, Dialect>> = {
  'http://json-schema.org/draft-06/schema': 'draft-06',
  'http://json-schema.org/draft-07/schema': 'draft-07',
  'https://json-schema.org/draft/2019-09/schema': '2019-09',
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
};

/** The dialect that `$schema` names, 2020-12 where there is none, undefined for one that is not known. */
export function dialectOf(schema: JsonObject | boolean): Dialect | undefined {
  const named = typeof schema === 'boolean' || !Object.hasOwn(schema, '$schema') ? undefined : schema['$schema'];
  if (named === undefined) return '2020-12';
  const name = typeof named === 'string' ? named.replace(/#$/, '') : '';
  return Object.hasOwn(names, name) ? names[name] : undefined;
}

/** Whether a dialect is this one or a later one. */
export function isSince(dialect: Dialect, first: Dialect): boolean {
  return dialects.indexOf(dialect) >= dialects.indexOf(first);
}
