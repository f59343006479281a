import { readDocument } from '#grammar/document/read.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

import { readNamed } from '../read-named.ts';

/**
 * Inputs that a file declares, with a word on each; none where it cannot be read. `cwd`: the folder where relative
 * paths begin.
 */
export async function inputsOf(
  path: string,
  cwd: string,
): Promise<readonly (readonly [name: string, about: string])[]> {
  try {
    const { document } = await readDocument(await readNamed(path, { files: nodeHost().files, cwd }), { source: path });
    const inputs = member(member(document?.value, 'meta'), 'inputs');
    return isObject(inputs)
      ? Object.entries(inputs as object).map(([name, schema]) => [name, aboutOf(schema as Json)])
      : [];
  } catch {
    return [];
  }
}

function member(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) ? (value as Readonly<Record<string, Json>>)[key] : undefined;
}

function aboutOf(schema: Json): string {
  const about = member(schema, 'description') ?? member(schema, 'type') ?? '';
  return typeof about === 'string' ? (about.split('\n')[0] ?? '') : '';
}
