import { dirname, join } from 'node:path';

import type { Reader } from '#compiler/reader.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

/** The folder of a package, and a reader that may look into it. */
export interface InstalledPackage {
  readonly home: string;
  readonly reader: Reader;
}

/** The folder of a package that is installed beside a folder or above it. */
export async function installedPackage(
  name: string,
  folder: string,
  reader: Reader,
): Promise<InstalledPackage | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const home = join(at, 'node_modules', name);
    // As Node looks for it: above the project root too, but not where a link leads out of the folder that holds it.
    const near = reader.beside(dirname(at) === at ? join(at, 'node_modules') : at);
    if ((await near.find(home))?.kind === 'directory') return { home, reader: near };
    if (dirname(at) === at) return undefined;
  }
}

/** Its version; undefined where it is not installed, or does not say. */
export async function installedVersion(name: string, folder: string, reader: Reader): Promise<string | undefined> {
  const found = await installedPackage(name, folder, reader);
  if (found === undefined) return undefined;
  const path = join(found.home, 'package.json');
  if ((await found.reader.find(path))?.kind !== 'file') return undefined;
  const manifest = JSON.parse(new TextDecoder().decode(await found.reader.read(path))) as Json;
  return isObject(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : undefined;
}
