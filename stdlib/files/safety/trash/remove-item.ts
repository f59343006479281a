import type { Files } from '#schemas/types/host.ts';
import { hasCode } from '#stdlib/files/has-code.ts';

/** Removes links, never what they lead to. */
export function removeItem(files: Files, path: string, isFolder: boolean): Promise<void> {
  return isFolder ? files.removeTree(path) : files.remove(path);
}

/** Somebody else may be first. */
export async function removeIfThere(files: Files, path: string): Promise<void> {
  try {
    await files.remove(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}
