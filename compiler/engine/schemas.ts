import { readFile } from 'node:fs/promises';

import { schemaExports } from '#schemas/generated/schema-exports.ts';

import { packageFolder } from './own/package-folder.ts';

export const schemaNames: readonly string[] = schemaExports.map(({ name }) => name).toSorted();

/** The text of an exported schema. */
export async function readSchema(name: string): Promise<string> {
  const found = schemaExports.find((schema) => schema.name === name);
  if (!found) throw new Error(`there is no schema "${name}"`);
  return readFile(new URL(found.file, packageFolder), 'utf8');
}
