import { readDocument } from '#grammar/document/read.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

/** Largest action file (bytes). */
const LARGEST = 64 * 1024 * 1024;

/**
 * `meta` of an action file in JSON or YAML; empty where it is a list, or its `meta` is no object. Fails where the file
 * cannot be read.
 */
export async function readMeta(files: Files, path: string): Promise<JsonObject> {
  const { document, diagnostics } = await readDocument(await bytesOf(files, path), { source: path });
  const [problem] = diagnostics;
  if (document === undefined || problem !== undefined)
    throw fail.actionFileUnreadable({ path, reason: problem?.message ?? 'it is empty' });
  const meta = isObject(document.value) ? document.value['meta'] : undefined;
  return isObject(meta) ? meta : {};
}

async function bytesOf(files: Files, path: string): Promise<Uint8Array> {
  const found = await files.find(path);
  if (!found) throw fail.fileNotFound({ path });
  if (found.kind === 'directory') throw fail.isAFolder({ path });
  return files.readRegular(path, { limit: LARGEST });
}
