import type { Json } from '#schemas/types/json.ts';

import { inferType, type ParquetColumn, type ParquetType } from './infer-type.ts';

type Records = readonly Readonly<Record<string, Json>>[];

/** The columns of records: their keys in the order in which they first stand, then those that only have a type. */
export function columnsOf(records: Records, types: Readonly<Record<string, string>>): readonly ParquetColumn[] {
  const names = new Set<string>();
  for (const record of records) for (const name of Object.keys(record)) names.add(name);
  for (const name of Object.keys(types)) names.add(name);
  return [...names].map((name) => ({
    name,
    type: Object.hasOwn(types, name) ? typeNamed(types[name] ?? '') : inferType(name, valuesOf(records, name)),
  }));
}

/** The values of one column; null where a record has none. */
export function valuesOf(records: Records, name: string): Json[] {
  return records.map((record) => (Object.hasOwn(record, name) ? (record[name] ?? null) : null));
}

/** Type for a text that the schema of the parameter lets through. */
function typeNamed(text: string): ParquetType {
  const [, precision, scale] = /^decimal\((\d+), ?(\d+)\)$/.exec(text) ?? [];
  if (precision !== undefined)
    return {
      kind: 'decimal',
      precision: Math.max(1, Number(precision)),
      scale: Math.min(Number(scale), Math.max(1, Number(precision))),
    };
  return { kind: text as Exclude<ParquetType['kind'], 'decimal' | 'list' | 'struct'> };
}
