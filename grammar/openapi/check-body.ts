import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { Body } from './body.ts';
import { formValue } from './form-value.ts';
import { mediaFor } from './media-type.ts';
import { jsonMedia, type Media } from './operations.ts';
import { NotWritten, readText } from './parameter-value.ts';
import { resolved } from './reference.ts';
import { schemaFindings } from './schema-findings.ts';

type Direction = 'request' | 'response';

/** Reasons why a body fits none of the declared contents. */
export function bodyProblems(
  body: Body,
  declared: readonly Media[],
  document: JsonObject,
  direction: Direction,
): readonly string[] {
  const { type, contentType = type, isBroken } = body;
  const media = contentType === undefined ? jsonMedia(declared) : mediaFor(contentType, declared);
  if (!media && type !== undefined)
    return [`${direction} body: media type ${type} is not declared (${declared.map((one) => one.type).join(', ')})`];
  const value = media && valueOf(body, media, document);
  if (!media || value === undefined) return [];
  const found = schemaFindings(value, media.schema, { document, direction });
  if (isBroken && found.length > 0) return [`${direction} body: is no JSON, which its media type ${type} says`];
  return found.map((finding) => `${direction} body ${finding}`);
}

/** The value that a body says; undefined: its type has none that a schema could judge. */
function valueOf({ type, json, fields, text, isBroken }: Body, media: Media, document: JsonObject): Json | undefined {
  if (json !== undefined) return json;
  if (isBroken) return text;
  const schema = resolved(media.schema, document);
  if (!isObject(schema)) return undefined;
  // Some documents describe a form as the text that it is.
  if (fields) return schema['type'] === 'string' ? undefined : formValue(fields, media, document);
  if (type !== 'text/plain' || text === undefined) return undefined;
  const value = readText(text, schema, document);
  return value === undefined || value instanceof NotWritten ? text : value;
}
