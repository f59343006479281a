import { resolve } from 'node:path';

import { operationsOf } from '#grammar/openapi/operations.ts';
import { readOpenApiFile } from '#grammar/openapi/read.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { readNamed } from '../read-named.ts';
import { openWorkspace } from '../workspace.ts';

/** The path templates of an OpenAPI document. */
export async function templatesOf(path: string, args: ParsedArguments, terminal: Terminal): Promise<string[]> {
  const { host } = await openWorkspace(args, terminal);
  const text = await readNamed(path, { files: host.files, cwd: terminal.cwd });
  const file = { path: resolve(terminal.cwd, path), root: terminal.cwd, files: host.files };
  const read = await readOpenApiFile(text, file);
  if ('error' in read) throw fail.specUnreadable({ path, reason: read.error });
  return [...new Set(operationsOf(read.document).map((operation) => operation.path))];
}
