import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { readJson, type FormField } from './body.ts';
import { bracketValue } from './bracket-fields.ts';
import type { Media } from './operations.ts';
import { declaredProperty } from './one-sided.ts';
import { NotWritten, readText, valueOfTexts } from './parameter-value.ts';
import { resolved } from './reference.ts';
import { HIDDEN } from './schema-findings.ts';

/** The object that the fields of a form say, by schema and `encoding` of their content; files have hidden values. */
export function formValue(fields: readonly FormField[], media: Media, document: JsonObject): JsonObject {
  const { encoding } = media.source;
  const groups = Map.groupBy(fields, ({ name }) => baseName(name, media, document));
  return Object.fromEntries(
    [...groups].map(([name, group]) => {
      const property = declaredProperty(name, media.schema, document) ?? otherFields(media, document);
      const rules = isObject(encoding) ? (encoding[name] ?? null) : null;
      return [name, fieldValue(group, name, { property, rules: isObject(rules) ? rules : {}, document })];
    }),
  );
}

/** Schema of fields that have no name of their own; undefined: they may be anything, or nothing. */
function otherFields({ schema: given }: Media, document: JsonObject): Json | undefined {
  const schema = resolved(given, document);
  const others = isObject(schema) ? schema['additionalProperties'] : undefined;
  return isObject(others) ? others : undefined;
}

/** `tags[]` and `user[name]` are parts of what the schema calls `tags` and `user`, or takes by any name. */
function baseName(name: string, media: Media, document: JsonObject): string {
  const base = name.replace(/\[.*$/s, '');
  if (base === name || declaredProperty(name, media.schema, document) !== undefined) return name;
  const others = resolved(otherFields(media, document), document);
  const hasParts = isObject(others) && ['object', 'array'].includes(String(others['type']));
  return hasParts || declaredProperty(base, media.schema, document) !== undefined ? base : name;
}

interface Declared {
  readonly property: Json | undefined;
  /** Entry of `encoding`. */
  readonly rules: JsonObject;
  readonly document: JsonObject;
}

function fieldValue(fields: readonly FormField[], name: string, { property, rules, document }: Declared): Json {
  const schema = resolved(property, document);
  const isList = isObject(schema) && (schema['type'] === 'array' || isObject(schema['items']));
  const texts = fields.map(({ value, isFile }) => (isFile === true ? HIDDEN : value));
  const unknown = isList ? texts.map(() => HIDDEN) : HIDDEN;
  if (texts.includes(HIDDEN)) return unknown;
  if (fields.some((field) => field.name !== name)) {
    const inBrackets = fields.map((field) => [field.name.slice(name.length), field.value] as const);
    return bracketValue(inBrackets, property, document) ?? unknown;
  }
  const [text = ''] = texts;
  if (/json/i.test(String(rules['contentType'] ?? ''))) return readJson(text) ?? text;
  if (isList) {
    const source = isObject(property) && rules['style'] === undefined ? oldOrForm(schema, rules) : rules;
    return valueOfTexts(texts, { name, in: 'query', required: false, schema, source }, document) ?? texts;
  }
  if (isObject(schema) && schema['type'] === 'object') return readJson(text) ?? HIDDEN;
  const value = readText(text, property ?? {}, document);
  return value === undefined || value instanceof NotWritten ? text : value;
}

/** Version 2.0 says beside the type how lists are joined, later ones in `encoding`. */
function oldOrForm(schema: JsonObject, rules: JsonObject): JsonObject {
  const { collectionFormat } = schema;
  return collectionFormat === undefined ? { schema: {}, style: 'form', ...rules } : { collectionFormat };
}
