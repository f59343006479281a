import type { Ports } from '#runtime/kernel/ports.ts';
import { readOpenApi } from '#grammar/openapi/read.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';

/** The OpenAPI document of a JSON or YAML file. */
export async function readSpec(path: string, { files }: Pick<Ports, 'files'>): Promise<JsonObject> {
  if (!(await files.find(path))) throw fail.specUnreadable({ path, reason: 'there is no such file' });
  const read = await readOpenApi(new TextDecoder().decode(await files.read(path)));
  if ('error' in read) throw fail.specUnreadable({ path, reason: read.error });
  return read.document;
}
