import { join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

/** Files that may hold actions, in a folder and those below it, sorted by path. Links to folders are not followed. */
export async function actionFilesBelow(files: Files, folder: string): Promise<readonly string[]> {
  if ((await files.find(folder))?.kind !== 'directory') throw fail.folderNotFound({ path: folder });
  const found: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const { name, kind } of await files.list(next)) {
      const path = join(next, name);
      if (kind === 'directory') waiting.push(path);
      else if (kind === 'file' && /\.(?:json|ya?ml)$/i.test(name)) found.push(path);
    }
  return found.sort();
}
