import type { Json, JsonObject } from '#schemas/types/json.ts';

/** A field of a form whose texts are ready: a text, or the path of a local file. */
export interface FormField {
  readonly name: string;
  readonly value?: string;
  readonly file?: string;
  readonly type?: string | undefined;
  /** Name of a file whose bytes are `value`. */
  readonly filename?: string | undefined;
}

/**
 * Parameters of a form of several parts, and its media type where it is written out. With a file in it the request
 * itself writes the form: `lost` hears what that cannot say.
 */
export function formBody(
  fields: readonly FormField[],
  lost: string[],
): { readonly params: JsonObject; readonly type?: string } {
  return fields.some(({ file }) => file !== undefined) ? { params: withFiles(fields, lost) } : writtenOut(fields);
}

function withFiles(fields: readonly FormField[], lost: string[]): JsonObject {
  const files: Record<string, string> = {};
  const texts: (readonly [name: string, value: string])[] = [];
  for (const { name, value, file, type } of fields) {
    if (type !== undefined) lost.push(`the media type ${type} of the field "${name}"`);
    if (file === undefined) texts.push([name, value ?? '']);
    else if (Object.hasOwn(files, name)) lost.push(`the field "${name}" also stands in the file ${file}`);
    else files[name] = file;
  }
  return { files, ...(texts.length > 0 && { data: withLists(texts) }) };
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
    const named = filename === undefined ? '' : `; filename="${quotable(filename)}"`;
    const disposition = `form-data; name="${quotable(name)}"${named}`;
    return `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${typeLine}\r\n${value}\r\n`;
  });
  return {
    params: { data: `${parts.join('')}--${boundary}--\r\n` },
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

/** A name as it stands between quotation marks (HTML, multipart/form-data encoding). */
function quotable(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
