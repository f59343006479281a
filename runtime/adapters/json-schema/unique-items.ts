import type { Ajv, SchemaValidateFunction } from 'ajv';

import { identity } from '#schemas/types/identity.ts';
import type { Json } from '#schemas/types/json.ts';

/** Places of two equal items of a list; `j` comes first. */
export function equalItems(list: readonly Json[]): { readonly i: number; readonly j: number } | undefined {
  const seen = new Map<string, number>();
  for (const [i, item] of list.entries()) {
    const key = identity(item);
    const j = seen.get(key);
    if (j !== undefined) return { i, j };
    seen.set(key, i);
  }
  return undefined;
}

export function equalItemsMessage({ i, j }: { readonly i: number; readonly j: number }): string {
  return `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
}

/** Replaces the keyword of ajv, which compares each item with each other one. */
export function addUniqueItems(ajv: Ajv): void {
  const validate: SchemaValidateFunction = (wanted: boolean, list: readonly Json[]) => {
    const equal = wanted ? equalItems(list) : undefined;
    if (equal) validate.errors = [{ keyword: 'uniqueItems', message: equalItemsMessage(equal), params: equal }];
    return equal === undefined;
  };
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate });
}
