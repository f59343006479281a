import { operationsOf } from '#grammar/openapi/operations.ts';
import { readOpenApi } from '#grammar/openapi/read.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { readNamed } from '../read-named.ts';
import { openWorkspace } from '../workspace.ts';

/** The path templates of an OpenAPI document. */
export async function templatesOf(path: string, args: ParsedArguments, terminal: Terminal): Promise<string[]> {
  const { host } = await openWorkspace(args, terminal);
  const read = await readOpenApi(await readNamed(path, { files: host.files, cwd: terminal.cwd }));
  if ('error' in read) throw fail.specUnreadable({ path, reason: read.error });
  return [...new Set(operationsOf(read.document).map((operation) => operation.path))];
}
