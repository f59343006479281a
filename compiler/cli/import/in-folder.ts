import { isAbsolute, join } from 'node:path';

import type { ImportedFile } from '#grammar/import/file.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

/**
 * The steps with the files that their requests send named from the working folder: `folder` is where the imported file
 * stands, from which it names them.
 */
export function inFolder(file: ImportedFile, folder: string): ImportedFile {
  if (folder === '') return file;
  const steps = file.steps.map((step) => {
    const [command, params] = step.action;
    return { ...step, action: [command, moved(params, folder)] as const };
  });
  return { ...file, steps };
}

function moved(params: JsonObject, folder: string): JsonObject {
  const { body_file: body, files } = params;
  return {
    ...params,
    ...(body === undefined ? {} : { body_file: pathIn(body, folder) }),
    ...(isObject(files) ? { files: filesIn(files, folder) } : {}),
  };
}

function filesIn(files: JsonObject, folder: string): JsonObject {
  const part = (one: Json): Json => {
    if (!isObject(one)) return pathIn(one, folder);
    return one['path'] === undefined ? one : { ...one, path: pathIn(one['path'], folder) };
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, one]) => [
      name,
      Array.isArray(one) ? (one as readonly Json[]).map(part) : part(one ?? null),
    ]),
  );
}

function pathIn(value: Json, folder: string): Json {
  // A path that begins with a reference may be a whole one.
  if (typeof value !== 'string' || isAbsolute(value) || /^(?:\$\{|\{\{)/.test(value)) return value;
  return join(folder, value);
}
