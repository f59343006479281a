import { posix, win32 } from 'node:path';

import type { Host } from '#schemas/types/host.ts';

/** The first of these commands that PATH holds. */
export async function searchPath(host: Host, commands: readonly string[]): Promise<string | undefined> {
  const windows = host.platform === 'win32';
  const folders = (host.env['PATH'] ?? host.env['Path'] ?? '')
    .split(windows ? ';' : ':')
    .filter((folder) => folder !== '');
  const endings = windows ? ['.exe', '.cmd'] : [''];
  for (const command of commands) {
    for (const folder of folders) {
      for (const ending of endings) {
        const path = (windows ? win32 : posix).join(folder, command + ending);
        if (await isFile(host, path)) return path;
      }
    }
  }
  return undefined;
}

export async function firstFile(host: Host, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await isFile(host, path)) return path;
  return undefined;
}

async function isFile(host: Host, path: string): Promise<boolean> {
  try {
    return (await host.files.find(path))?.kind === 'file';
  } catch {
    // A folder of PATH that may not be read holds nothing for this user.
    return false;
  }
}
