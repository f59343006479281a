import { isObject, type Json } from '#schemas/types/json.ts';

/** A schema as people read types: `text`, `integer from 1`, `one of "a", "b"`. */
export function typeText(schema: Json | undefined): string {
  if (!isObject(schema)) return 'any value';
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].map((value) => JSON.stringify(value)).join(', ')}`;
  for (const key of ['anyOf', 'oneOf']) {
    const choices = schema[key];
    if (Array.isArray(choices)) return choices.map(typeText).join(' or ');
  }
  const type = schema['type'];
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return types.length === 0 ? 'any value' : types.map((name) => oneType(String(name), schema)).join(' or ');
}

function oneType(type: string, schema: { readonly [key: string]: Json }): string {
  if (type === 'string') return typeof schema['format'] === 'string' ? `text (${schema['format']})` : 'text';
  if (type === 'array') return schema['items'] === undefined ? 'list' : `list of ${typeText(schema['items'])}`;
  if (type === 'integer' || type === 'number') {
    const from = schema['minimum'] ?? schema['exclusiveMinimum'];
    const to = schema['maximum'];
    return `${type}${from === undefined ? '' : ` from ${String(from)}`}${to === undefined ? '' : ` to ${String(to)}`}`;
  }
  return type;
}
