import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { requireFile } from '#stdlib/files/kind.ts';

/** Largest text that is compared: it must be in memory whole. */
const LARGEST = 64 * 1024 * 1024;

/** A file in UTF-8; a byte-order mark is part of its first line, as it is for other programs. */
export async function readText(files: Files, path: string): Promise<string> {
  const { size } = await requireFile(files, path);
  if (size > LARGEST) throw fail.diffTooLarge({ path, size, limit: LARGEST });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await files.read(path));
  } catch (cause) {
    if (cause instanceof TypeError) throw fail.diffNotText({ path, cause });
    throw cause;
  }
}
