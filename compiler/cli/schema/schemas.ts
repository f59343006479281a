import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { packageFolder } from '../package-folder.ts';

/** Where schemas stand: contracts written by hand, and aggregates made by the generator. */
const folders = ['schemas/contracts/', 'schemas/generated/aggregates/'];
const ending = '.schema.json';

async function schemaFiles(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const folder of folders) {
    const path = fileURLToPath(new URL(folder, packageFolder));
    for (const file of (await readdir(path)).toSorted()) if (file.endsWith(ending)) found.set(file.slice(0, -ending.length), `${path}/${file}`);
  }
  return found;
}

export async function schemaNames(): Promise<readonly string[]> {
  return [...(await schemaFiles()).keys()].toSorted();
}

export async function readSchema(name: string): Promise<string> {
  const path = (await schemaFiles()).get(name);
  if (path === undefined) throw new Error(`there is no schema "${name}"`);
  return readFile(path, 'utf8');
}
