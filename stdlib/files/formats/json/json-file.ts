import { countKeys, scanJson } from '#grammar/document/json/scan.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

import { parseLossless } from '../lossless-json.ts';

/** Nesting beyond this is refused: nothing that people write is that deep. */
const DEEPEST = 1000;

/** A JSON file in UTF-8, with or without a byte-order mark. Numbers that a double would change are kept as written. */
export async function readJsonFile(files: Files, path: string): Promise<unknown> {
  const found = await files.find(path);
  if (found?.kind !== 'file') throw fail.jsonFileNotFound({ path });
  const text = decode(await files.read(path), path);
  const scan = scanJson(text, DEEPEST);
  if (scan.tooDeepAt !== undefined) throw fail.jsonTooDeep({ path, limit: DEEPEST });
  let plain: unknown;
  try {
    plain = JSON.parse(text);
  } catch (cause) {
    throw fail.jsonUnreadable({ path, cause });
  }
  if (countKeys(plain) !== scan.keys) throw fail.jsonDuplicateKey({ path });
  return parseLossless(text);
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw fail.jsonUnreadable({ path, cause });
  }
}

export interface WritePlace {
  readonly files: Files;
  readonly durable: boolean;
  readonly signal: AbortSignal;
}

/** Indented by two spaces, letters as they are, a line feed at the end. Permission bits stay. */
export async function writeJsonFile({ files, durable, signal }: WritePlace, path: string, value: unknown): Promise<void> {
  await files.write(path, `${JSON.stringify(value, null, 2)}\n`, { durable, signal });
}
