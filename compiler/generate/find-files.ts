import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files below a folder whose name passes, by path from the project root with `/`, sorted. Nothing where there is no
 * such folder.
 */
export function findFiles(root: string, folder: string, accept: (name: string) => boolean): readonly string[] {
  const top = join(root, folder);
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && accept(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/').replace(/^\//, ''))
    .sort();
}
