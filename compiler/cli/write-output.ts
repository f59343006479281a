import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { random } from '#runtime/hosts/node/random.ts';

import { reasonOf } from './inputs.ts';

/** Writes a file that appears whole or not at all; missing folders are made. */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${random.uuid()}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, content, { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw fail.outputNotWritten({ path, reason: reasonOf(error), cause: error });
  }
}
