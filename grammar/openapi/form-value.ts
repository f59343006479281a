import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { readJson, type FormField } from './body.ts';
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
      const property = declaredProperty(name, media.schema, document);
      const rules = isObject(encoding ?? null) ? ((encoding as JsonObject)[name] ?? null) : null;
      return [name, fieldValue(group, name, { property, rules: isObject(rules) ? rules : {}, document })];
    }),
  );
}

/** `tags[]` and `user[name]` are parts of what the schema calls `tags` and `user`. */
function baseName(name: string, { schema }: Media, document: JsonObject): string {
  const base = name.replace(/\[.*$/s, '');
  const isOwn = declaredProperty(name, schema, document) !== undefined;
  return !isOwn && declaredProperty(base, schema, document) !== undefined ? base : name;
}

interface Declared {
  readonly property: Json | undefined;
  /** Entry of `encoding`. */
  readonly rules: JsonObject;
  readonly document: JsonObject;
}

function fieldValue(fields: readonly FormField[], name: string, { property, rules, document }: Declared): Json {
  const schema = resolved(property, document);
  const isList = isObject(schema) && (schema['type'] === 'array' || isObject(schema['items'] ?? null));
  const texts = fields.map(({ value, isFile }) => (isFile === true ? HIDDEN : value));
  // Fields by brackets are nested: what stands in them is not judged.
  if (texts.includes(HIDDEN) || fields.some((field) => /\[.+\]$/s.test(field.name) && field.name !== name))
    return isList ? texts.map(() => HIDDEN) : HIDDEN;
  const [text = ''] = texts;
  if (/json/i.test(String(rules['contentType'] ?? ''))) return readJson(text) ?? text;
  if (isList) {
    const source = isObject(property ?? null) && rules['style'] === undefined ? oldOrForm(schema, rules) : rules;
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
