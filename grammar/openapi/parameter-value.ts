import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Parameter } from './operations.ts';
import { separatorOf } from './query-pairs.ts';
import { resolved } from './reference.ts';

/** The reason for which a text cannot be the value of a parameter. */
export class NotWritten {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/**
 * The value that the text of a parameter says, by the style that the document gives it; undefined: its schema names
 * nothing that has parts, and the text itself is the value.
 */
export function valueOfText(text: string, parameter: Parameter, document: JsonObject): Json | NotWritten | undefined {
  const { name, source } = parameter;
  if (isObject(source['content'] ?? null)) return fromContent(text, source['content'] as JsonObject);
  const schema = resolved(parameter.schema, document);
  if (!isObject(schema)) return undefined;
  const { style } = source;
  const isExploded = (source['explode'] ?? false) === true;
  const rest = withoutPrefix(text, name, style);
  if (rest instanceof NotWritten) return rest;
  if (schema['type'] === 'array' || isObject(schema['items'] ?? null))
    return listOf(pieces(rest, { name, source, isExploded }), schema, document);
  if (schema['type'] === 'object' && parameter.in !== 'query')
    return objectOf(pairs(pieces(rest, { name: '', source, isExploded }), isExploded), schema, document);
  return style === 'label' || style === 'matrix' ? typed(rest, schema, document) : undefined;
}

/** The list that the texts of a repeated query parameter say, or of one that holds them all. */
export function valueOfTexts(texts: readonly string[], parameter: Parameter, document: JsonObject): Json | undefined {
  const schema = resolved(parameter.schema, document);
  if (!isObject(schema) || (schema['type'] !== 'array' && !isObject(schema['items'] ?? null))) return undefined;
  const { source } = parameter;
  const separator = separatorOf(source, (source['explode'] ?? (source['style'] ?? 'form') === 'form') === true);
  // One text with commas is taken for a list by most servers, whatever the document says of repeating.
  const [only = '', ...others] = texts;
  return listOf(others.length > 0 ? texts : only.split(separator ?? ','), schema, document);
}

/** The object that fields such as `filter[name]` say; undefined: there are none, or they are nested. */
export function deepObject(
  query: readonly (readonly [name: string, value: string])[],
  parameter: Parameter,
  document: JsonObject,
): Json | undefined {
  const schema = resolved(parameter.schema, document);
  const fields = query.flatMap(([given, value]): [string, string][] =>
    given.startsWith(`${parameter.name}[`) ? [[given.slice(parameter.name.length + 1, -1), value]] : [],
  );
  const isFlat =
    new Set(fields.map(([key]) => key)).size === fields.length && fields.every(([key]) => !/[[\]]/.test(key));
  return fields.length > 0 && isFlat && isObject(schema) ? objectOf(fields, schema, document) : undefined;
}

function fromContent(text: string, content: JsonObject): Json | NotWritten | undefined {
  const [type = ''] = Object.keys(content);
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return new NotWritten('is no JSON');
  }
}

/** Values in paths may begin with a dot, or with a semicolon and their name. */
function withoutPrefix(text: string, name: string, style: Json | undefined): string | NotWritten {
  if (style === 'label') return text.startsWith('.') ? text.slice(1) : new NotWritten('does not begin with a dot');
  if (style !== 'matrix') return text;
  if (text.startsWith(`;${name}=`)) return text.slice(name.length + 2);
  return text.startsWith(';') ? text.slice(1) : new NotWritten('does not begin with a semicolon');
}

interface Written {
  readonly name: string;
  readonly source: JsonObject;
  readonly isExploded: boolean;
}

function pieces(text: string, { name, source, isExploded }: Written): readonly string[] {
  if (isExploded && source['style'] === 'label') return text.split('.');
  if (isExploded && source['style'] === 'matrix') return text.split(name === '' ? ';' : `;${name}=`);
  return text.split(separatorOf(source, false) ?? ',').map((piece) => piece.trim());
}

/** Fields as `a=1`, or names and values in turn. */
function pairs(texts: readonly string[], isExploded: boolean): readonly (readonly [string, string])[] {
  if (isExploded)
    return texts.map((text) => {
      const [key = '', ...value] = text.split('=');
      return [key, value.join('=')] as const;
    });
  return texts.flatMap((key, index) => (index % 2 === 0 ? [[key, texts[index + 1] ?? ''] as const] : []));
}

function listOf(texts: readonly string[], { items }: JsonObject, document: JsonObject): Json {
  const schema = resolved(items, document);
  return texts.map((text) => typed(text, schema, document));
}

function objectOf(
  fields: readonly (readonly [string, string])[],
  { properties, additionalProperties: others }: JsonObject,
  document: JsonObject,
): Json {
  const declared = isObject(properties) ? properties : {};
  return Object.fromEntries(
    fields.map(([key, text]) => [key, typed(text, resolved(declared[key] ?? others, document), document)]),
  );
}

/** A text as the type that its schema names, where it can be one: in addresses all values are texts. */
function typed(text: string, schema: Json, document: JsonObject): Json {
  if (!isObject(schema)) return text;
  const { enum: listed, type } = schema;
  const named = Array.isArray(listed) ? (listed as readonly Json[]).find((one) => String(one) === text) : undefined;
  if (named !== undefined) return named;
  const types = [type].flat() as readonly Json[];
  if (types.includes('string')) return text;
  if (types.some((one) => one === 'integer' || one === 'number') && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text))
    return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return types.includes('array') ? listOf(text.split(','), schema, document) : text;
}
