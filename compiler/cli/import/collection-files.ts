import { join } from 'node:path';

import type { BrunoFile } from '#grammar/import/bruno.ts';
import { ImportError } from '#grammar/import/file.ts';
import type { Files } from '#schemas/types/host.ts';

/** Files of a collection, and bytes of one; more is no collection that somebody keeps by hand. */
const MOST = 10_000;
const LARGEST = 4 * 1024 * 1024;

/** The `.bru` files of a folder, and its `bruno.json`, with paths from there. Links are not followed. */
export async function collectionFiles(folder: string, files: Files): Promise<readonly BrunoFile[]> {
  const found: BrunoFile[] = [];
  const walk = async (inner: string, depth: number): Promise<void> => {
    const entries = (await files.list(join(folder, inner))).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, kind } of entries) {
      const path = inner === '' ? name : `${inner}/${name}`;
      if (kind === 'directory' && depth < 32 && !/^(?:node_modules|\..*)$/.test(name)) await walk(path, depth + 1);
      if (kind !== 'file' || !(name.endsWith('.bru') || path === 'bruno.json')) continue;
      if (found.length >= MOST) throw new ImportError(`it has more than ${MOST} files`);
      const { size = 0 } = (await files.find(join(folder, path))) ?? {};
      if (size > LARGEST) throw new ImportError(`${path} is larger than ${LARGEST / 1024 / 1024} MiB`);
      found.push({ path, text: new TextDecoder().decode(await files.read(join(folder, path))) });
    }
  };
  await walk('', 0);
  return found;
}
