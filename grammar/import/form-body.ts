import { quoted } from '#grammar/http/multipart.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** A field of a form whose texts are ready: a text, or the path of a local file. */
export interface FormField {
  readonly name: string;
  readonly value?: string;
  readonly file?: string;
  readonly type?: string | undefined;
  /** File name that is said; null: none. */
  readonly filename?: string | null | undefined;
}

/**
 * Parameters of a form of several parts, and its media type where it is written out. With a file in it the request
 * itself writes the form.
 */
export function formBody(fields: readonly FormField[]): { readonly params: JsonObject; readonly type?: string } {
  return fields.some(({ file }) => file !== undefined) ? { params: withFiles(fields) } : writtenOut(fields);
}

function withFiles(fields: readonly FormField[]): JsonObject {
  const files = new Map<string, readonly Json[]>();
  const texts: (readonly [name: string, value: string])[] = [];
  for (const field of fields) {
    const { name, value = '', file, type, filename } = field;
    if (file === undefined && type === undefined && typeof filename !== 'string') texts.push([name, value]);
    else files.set(name, [...(files.get(name) ?? []), partOf(field)]);
  }
  const parts = [...files].map(([name, all]): readonly [string, Json] => [
    name,
    all.length === 1 ? (all[0] ?? '') : all,
  ]);
  return { files: Object.fromEntries(parts), ...(texts.length > 0 && { data: withLists(texts) }) };
}

function partOf({ value = '', file, type, filename }: FormField): Json {
  if (file !== undefined && type === undefined && filename === undefined) return file;
  return {
    ...(file === undefined ? { text: value } : { path: file }),
    ...(type !== undefined && { type }),
    ...(filename !== undefined && { name: filename }),
  };
}

/** Fields by name; the values of one name are a list. */
export function withLists(fields: readonly (readonly [name: string, value: string])[]): JsonObject {
  const data = new Map<string, Json>();
  for (const [name, value] of fields) data.set(name, joined(data.get(name), value));
  return Object.fromEntries(data);
}

function joined(before: Json | undefined, value: string): Json {
  if (before === undefined) return value;
  return Array.isArray(before) ? [...(before as readonly Json[]), value] : [before, value];
}

/** The parts with a boundary that none of them holds. */
function writtenOut(fields: readonly FormField[]): { readonly params: JsonObject; readonly type: string } {
  let boundary = 'svc-form';
  while (fields.some(({ value = '' }) => value.includes(boundary))) boundary += '-';
  const parts = fields.map(({ name, value = '', type, filename }) => {
    const typeLine = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    const named = typeof filename === 'string' ? `; filename="${quoted(filename)}"` : '';
    const disposition = `form-data; name="${quoted(name)}"${named}`;
    return `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${typeLine}\r\n${value}\r\n`;
  });
  return {
    params: { data: `${parts.join('')}--${boundary}--\r\n` },
    type: `multipart/form-data; boundary=${boundary}`,
  };
}
