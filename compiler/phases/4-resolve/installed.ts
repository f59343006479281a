import { dirname, join } from 'node:path';

import type { CompileHost } from '#compiler/context.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

/** The folder of a package that is installed beside a folder or above it. */
export async function installedPackage(
  name: string,
  folder: string,
  files: CompileHost['files'],
): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const home = join(at, 'node_modules', name);
    if ((await files.find(home))?.kind === 'directory') return home;
    if (dirname(at) === at) return undefined;
  }
}

/** Its version; undefined where it is not installed, or does not say. */
export async function installedVersion(
  name: string,
  folder: string,
  files: CompileHost['files'],
): Promise<string | undefined> {
  const home = await installedPackage(name, folder, files);
  if (home === undefined || (await files.find(join(home, 'package.json')))?.kind !== 'file') return undefined;
  const manifest = JSON.parse(new TextDecoder().decode(await files.read(join(home, 'package.json')))) as Json;
  return isObject(manifest) && typeof manifest['version'] === 'string' ? manifest['version'] : undefined;
}
