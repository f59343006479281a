import { resolve } from 'node:path';

import { programChanged } from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

/**
 * The first of these commands that PATH held before the first step. Fails where a step has put another program there.
 */
export function searchPath({ processes }: Host, commands: readonly string[]): string | undefined {
  try {
    return processes.find(commands);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ECHANGED' && 'path' in cause) {
      throw programChanged({ path: String(cause.path), cause });
    }
    throw cause;
  }
}

/**
 * The first of these paths at which a file stands, absolute. Fails where it is another file than before the first step.
 */
export async function firstFile(host: Host, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (!(await isFile(host, path))) continue;
    if (!host.processes.isUnchanged(path)) throw programChanged({ path });
    return resolve(host.cwd, path);
  }
  return undefined;
}

async function isFile(host: Host, path: string): Promise<boolean> {
  try {
    return (await host.files.find(path))?.kind === 'file';
  } catch {
    // A folder that may not be read holds nothing for this user.
    return false;
  }
}
