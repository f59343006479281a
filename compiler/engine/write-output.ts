import { files } from '#runtime/hosts/node/files.ts';
import * as fail from '#schemas/generated/failures.ts';

import { reasonOf } from './reason.ts';

/** Writes a file that appears whole or not at all; missing folders are made, permission bits and links stay. */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  try {
    await files.write(path, content, { parents: true });
  } catch (error) {
    throw fail.outputNotWritten({ path, reason: reasonOf(error), cause: error });
  }
}
