import { basename } from 'node:path';

import { importText } from '#grammar/import/detect.ts';
import { ImportError, type ImportedFile } from '#grammar/import/file.ts';
import { importPostman } from '#grammar/import/postman.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { once } from '../session.ts';
import { fuzzTexts } from '#stdlib/api/checks/security/fuzz-texts.ts';

const FORMATS = ['openapi', 'collection'] as const;

/** A request collection (version 2.1) as actions, folders included. Throws APITesterException for anything else. */
export function convert_collection(collection: JsonObject): (readonly [string, JsonObject])[] {
  return actionsOf(read('collection', () => importPostman(collection)));
}

/**
 * A document of one of the formats as actions; throws APITesterException for another format and for what cannot be
 * read.
 */
export async function convert_spec_file(
  input_path: string,
  spec_format: (typeof FORMATS)[number],
): Promise<(readonly [string, JsonObject])[]> {
  if (!FORMATS.includes(spec_format))
    throw fail.importUnreadable({
      path: input_path,
      reason: `"${String(spec_format)}" is no format; known are ${FORMATS.toSorted().join(', ')}`,
    });
  const text = await once('convert_spec_file', ['files'], async ({ files }) => {
    const bytes = await files.read(input_path).catch((cause: unknown) => {
      throw fail.importUnreadable({ path: input_path, reason: 'it cannot be read', cause });
    });
    return new TextDecoder().decode(bytes);
  });
  try {
    return actionsOf(await importText(spec_format, text, { name: basename(input_path) }));
  } catch (error) {
    if (error instanceof ImportError)
      throw fail.importUnreadable({ path: input_path, reason: error.message, cause: error });
    throw error;
  }
}

function read(path: string, make: () => ImportedFile): ImportedFile {
  try {
    return make();
  } catch (error) {
    if (error instanceof ImportError) throw fail.importUnreadable({ path, reason: error.message, cause: error });
    throw error;
  }
}

/**
 * The actions of a file, which stand alone: the values that it gives to its inputs are filled in, and the status that
 * it expects stands among the parameters.
 */
function actionsOf({ steps, meta }: ImportedFile): (readonly [string, JsonObject])[] {
  const inputs = isObject(meta['inputs'] ?? null) ? (meta['inputs'] as JsonObject) : {};
  const known = new Map(
    Object.entries(inputs).flatMap(([name, input]) => {
      const value = isObject(input ?? null) ? (input as JsonObject)['default'] : undefined;
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
  return steps.map(({ action: [name, params], options }) => {
    const [, status] = /^result\.status_code == (\d{3})$/.exec(String(options['expect'])) ?? [];
    const checks = status === undefined ? {} : { result_check_dict: { status_code: Number(status) } };
    return [name, { ...(filled(params, known) as JsonObject), ...checks }];
  });
}

function filled(value: Json, known: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string')
    return value.replace(/(?<!\\)\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => known.get(name) ?? whole);
  if (Array.isArray(value)) return value.map((item: Json) => filled(item, known));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item ?? null, known)]));
}

/** Copies of an object, one for each field and awkward text (`AT_fuzz_string_inputs`); the object stays as it is. */
export function fuzz_value_pool(template: JsonObject, fields: readonly string[]): JsonObject[] {
  return fields.flatMap((field) =>
    fuzzTexts.map((text): JsonObject => ({ ...(structuredClone(template) as Record<string, Json>), [field]: text })),
  );
}
