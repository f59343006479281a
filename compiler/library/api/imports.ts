import { basename } from 'node:path';

import { importText } from '#grammar/import/detect.ts';
import { ImportError, type ImportedFile } from '#grammar/import/file.ts';
import { importPostman } from '#grammar/import/postman.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
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

function actionsOf({ steps }: ImportedFile): (readonly [string, JsonObject])[] {
  return steps.map(({ action }) => action);
}

/** Copies of an object, one for each field and awkward text (`AT_fuzz_string_inputs`); the object stays as it is. */
export function fuzz_value_pool(template: JsonObject, fields: readonly string[]): JsonObject[] {
  return fields.flatMap((field) =>
    fuzzTexts.map((text): JsonObject => ({ ...(structuredClone(template) as Record<string, Json>), [field]: text })),
  );
}
