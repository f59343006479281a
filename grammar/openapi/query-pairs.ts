import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Parameter } from './operations.ts';

type Pair = readonly [name: string, value: Json];

/** Names and values by which a value of a parameter stands in a query, by the style that the document gives it. */
export function queryPairs({ name, source }: Pick<Parameter, 'name' | 'source'>, value: Json): readonly Pair[] {
  if (isObject(source['content'])) return [[name, JSON.stringify(value)]];
  const { style = 'form' } = source;
  const explode = source['explode'] ?? style === 'form';
  if (Array.isArray(value)) {
    const separator = separatorOf(source, explode === true);
    const items = value as readonly Json[];
    return separator === undefined
      ? items.map((item) => [name, item] as const)
      : [[name, items.map(textOf).join(separator)]];
  }
  if (!isObject(value)) return [[name, value]];
  if (style === 'deepObject') return bracketPairs(name, value);
  const fields = Object.entries(value).map(([key, item]): Pair => [key, plain(item ?? null)]);
  return explode === true ? fields : [[name, fields.map(([key, item]) => `${key},${textOf(item)}`).join(',')]];
}

/** Fields stand in brackets behind their object; elements repeat its name, or have numbers where they have parts. */
function bracketPairs(name: string, value: Json): readonly Pair[] {
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, index) =>
      bracketPairs(typeof item === 'object' && item !== null ? `${name}[${index}]` : name, item),
    );
  if (!isObject(value)) return [[name, value]];
  return Object.entries(value).flatMap(([key, item]) => bracketPairs(`${name}[${key}]`, item ?? null));
}

/** Values of parameters as `params` of a request: a name that stands more than once has a list. */
export function queryParams(parameters: readonly Parameter[], values: Readonly<Record<string, Json>>): JsonObject {
  const query = new Map<string, Json>();
  for (const [name, value] of Object.entries(values)) {
    const parameter = parameters.find((one) => one.in === 'query' && one.name === name) ?? { name, source: {} };
    for (const [key, item] of queryPairs(parameter, value)) {
      const before = query.get(key);
      const list = Array.isArray(before) ? (before as readonly Json[]) : [before ?? null];
      query.set(key, before === undefined ? item : [...list, item]);
    }
  }
  return Object.fromEntries(query);
}

const separators: Readonly<Record<string, string>> = {
  ssv: ' ',
  tsv: '\t',
  pipes: '|',
  spaceDelimited: ' ',
  pipeDelimited: '|',
};

/** Sign between the values of a list; undefined: its name is repeated. */
export function separatorOf({ schema, style, collectionFormat }: JsonObject, explode: boolean): string | undefined {
  // Version 2.0 has the keywords of the schema beside the name, and another word for the style.
  const isOld = schema === undefined && style === undefined;
  if (isOld ? collectionFormat === 'multi' : explode) return undefined;
  return separators[String(isOld ? collectionFormat : style)] ?? ',';
}

function plain(value: Json): Json {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
