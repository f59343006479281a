import { resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

/** Most bytes of a file that a verb is given by name. */
const LARGEST = 64 * 1024 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  EFBIG: `it is larger than ${LARGEST / 1024 / 1024} MiB`,
  ENOTREG: 'it is no file',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
};

/**
 * Text of a file that the command line names, from the folder where it was called. Fails where there is none, and where
 * it cannot be read.
 */
export async function readNamed(
  path: string,
  { files, cwd }: { readonly files: Files; readonly cwd: string },
): Promise<string> {
  try {
    return new TextDecoder().decode(await files.readRegular(resolve(cwd, path), { limit: LARGEST }));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') throw fail.inputMissing({ path, cause });
    throw fail.inputUnreadable({ path, reason: REASONS[code] ?? (code || String(cause)), cause });
  }
}
