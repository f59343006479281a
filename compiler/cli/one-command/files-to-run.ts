import { relative } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { isStream } from '#compiler/engine/project-root.ts';
import { openWorkspaces } from '../workspace.ts';

/**
 * Action files that `--run` names: files, folders and globs as `svc run` takes them, without standard input. Fails
 * (wrong use) for a path that names nothing.
 */
export async function filesToRun(
  paths: readonly string[],
  args: ParsedArguments,
  terminal: Terminal,
): Promise<readonly string[]> {
  const stream = paths.find((path) => isStream(path));
  if (stream !== undefined) throw fail.inputMissing({ path: stream });
  if (paths.length === 0) return [];
  const workspaces = await openWorkspaces({ ...args, positional: paths }, terminal);
  return workspaces.flatMap(({ sources }) => sources.map(({ path }) => relative(terminal.cwd, path)));
}
