import { resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { readOpenApiFile } from '#grammar/openapi/read.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';

interface Around extends Pick<Ports, 'files'> {
  readonly folders: Pick<Base['folders'], 'cwd' | 'root'>;
}

/** The OpenAPI document of a JSON or YAML file, with the files below the root that it refers to. */
export async function readSpec(path: string, { files, folders: { cwd, root } }: Around): Promise<JsonObject> {
  if (!(await files.find(path))) throw fail.specUnreadable({ path, reason: 'there is no such file' });
  const text = new TextDecoder().decode(await files.read(path));
  const read = await readOpenApiFile(text, { path: resolve(cwd, path), root, files });
  if ('error' in read) throw fail.specUnreadable({ path, reason: read.error });
  return read.document;
}
