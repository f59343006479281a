import { files } from '#runtime/hosts/node/all-files.ts';
import { writeOutput as write, type Bounds } from '#runtime/program/output.ts';

/**
 * Writes a file that appears whole or not at all; missing folders are made, permission bits stay. Fails for links below
 * the bounds.
 */
export function writeOutput(path: string, content: string | Uint8Array, bounds: Bounds): Promise<void> {
  return write(files, path, content, bounds);
}
