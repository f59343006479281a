import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Parameter } from './operations.ts';
import { declaredProperty } from './one-sided.ts';
import { separatorOf } from './query-pairs.ts';
import { resolved } from './reference.ts';
import { HIDDEN, schemaFindings } from './schema-findings.ts';

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
  if (isObject(source['content'])) return fromContent(text, source['content']);
  const schema = resolved(parameter.schema, document);
  if (!isObject(schema)) return undefined;
  const { style } = source;
  const isExploded = (source['explode'] ?? false) === true;
  const rest = withoutPrefix(text, name, style);
  if (rest instanceof NotWritten) return rest;
  if (schema['type'] === 'array' || isObject(schema['items']))
    return listOf(pieces(rest, { name, source, isExploded }), schema, document);
  // In a query an object stands in one text where it is not spread over names.
  if (schema['type'] === 'object' && (parameter.in !== 'query' || source['explode'] === false))
    return objectOf(pairs(pieces(rest, { name: '', source, isExploded }), isExploded), schema, document);
  return style === 'label' || style === 'matrix' ? typed(rest, schema, document) : undefined;
}

/**
 * The value that a text says, of all that it may say one that fits its schema: in addresses and forms numbers are texts
 * as well. Where a schema wants one type and none can be read, the reason; undefined where its list of values names the
 * text, with another type than it says.
 */
export function readText(text: string, given: Json, document: JsonObject): Json | NotWritten | undefined {
  const schema = resolved(given, document);
  if (!isObject(schema)) return text;
  const { type, enum: listed } = schema;
  const named = Array.isArray(listed) ? (listed as readonly Json[]).find((one) => isListed(one, text)) : undefined;
  if (named !== undefined) return typeof type !== 'string' || isOfOneType(named, type) ? named : undefined;
  const values = readings(text);
  const wanted = typeof type === 'string' ? values.find((value) => isOfOneType(value, type)) : undefined;
  if (wanted !== undefined) return wanted;
  const isPlain = type === 'integer' || type === 'number' || type === 'boolean';
  if (isPlain && !(text === 'null' && schema['nullable'] === true)) return new NotWritten(`is no ${type}`);
  const [fitting = text] = values.filter(
    (value) => schemaFindings(value, given, { document, direction: 'request' }).length === 0,
  );
  return fitting;
}

function isListed(value: Json, text: string): boolean {
  return !isObject(value) && String(value) === text;
}

/** Values that a text may say: itself first. */
function readings(text: string): readonly Json[] {
  if (/^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return [text, Number(text)];
  if (text === 'true' || text === 'false') return [text, text === 'true'];
  return text === 'null' ? [text, null] : [text];
}

function isOfOneType(value: Json, type: Json | undefined): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === undefined || typeof value === type;
}

/** The list that the texts of a repeated query parameter say, or of one that holds them all. */
export function valueOfTexts(texts: readonly string[], parameter: Parameter, document: JsonObject): Json | undefined {
  const schema = resolved(parameter.schema, document);
  const { source } = parameter;
  // A value that `content` describes is one text of its media type.
  if (isObject(source['content'])) return undefined;
  if (!isObject(schema) || (schema['type'] !== 'array' && !isObject(schema['items']))) return undefined;
  const separator = separatorOf(source, (source['explode'] ?? (source['style'] ?? 'form') === 'form') === true);
  // One text with commas is taken for a list by most servers, whatever the document says of repeating.
  const [only = '', ...others] = texts;
  return listOf(others.length > 0 ? texts : only.split(separator ?? ','), schema, document);
}

/**
 * The object that is spread over fields of a query; undefined: none of them was sent. Names that no parameter declares
 * are its own where it is the only one.
 */
export function spreadObject(
  query: readonly (readonly [name: string, value: string])[],
  parameter: Parameter,
  { declared, isAlone, document }: Spread,
): Json | undefined {
  const schema = resolved(parameter.schema, document);
  if (!isObject(schema)) return undefined;
  const fields = query.filter(([name]) => {
    if (declared.some((one) => one.name === name.replace(/\[.*$/s, ''))) return false;
    return isAlone || declaredProperty(name, schema, document) !== undefined;
  });
  const isFlat = new Set(fields.map(([name]) => name)).size === fields.length;
  if (fields.length === 0 || !isFlat || fields.some(([, value]) => value.includes(HIDDEN))) return undefined;
  return objectOf(fields, schema, document);
}

interface Spread {
  /** All parameters of the query. */
  readonly declared: readonly Parameter[];
  readonly isAlone: boolean;
  readonly document: JsonObject;
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

/** The list that texts say, each as the schema of elements names it. */
export function listOf(texts: readonly string[], { items }: JsonObject, document: JsonObject): Json {
  return texts.map((text) => typed(text, items ?? {}, document));
}

function objectOf(fields: readonly (readonly [string, string])[], schema: JsonObject, document: JsonObject): Json {
  const { additionalProperties: others = {} } = schema;
  return Object.fromEntries(
    fields.map(([key, text]) => [key, typed(text, declaredProperty(key, schema, document) ?? others, document)]),
  );
}

/** A text as the type that its schema names, where it can be one: in addresses all values are texts. */
export function typed(text: string, given: Json, document: JsonObject): Json {
  const schema = resolved(given, document);
  if (isObject(schema) && [schema['type']].flat().includes('array'))
    return listOf(text.split(separatorOf(schema, false) ?? ','), schema, document);
  const value = readText(text, given, document);
  return value === undefined || value instanceof NotWritten ? text : value;
}
