import type { Stats } from 'node:fs';
import { join } from 'node:path';

import type { Provider } from '#runtime/kernel/ports.ts';

import type { FolderWatch, FolderWatchOptions } from './port.ts';

export const provider: Provider<'fileEvents'> = { open: () => ({ watch }) };

/** Character that stands for bytes that are not UTF-8. */
const BROKEN = '\ufffd';

async function watch(folder: string, { recursive, onTouched, onError }: FolderWatchOptions): Promise<FolderWatch> {
  const { watch: open } = await import('chokidar');
  // Folders alone are watched: the system tells of their files too, and a handle for each file would soon be too many.
  const isFile = (_: string, stats?: Stats): boolean => stats !== undefined && !stats.isDirectory();
  const watcher = open(folder, {
    ignored: isFile,
    ignoreInitial: true,
    followSymlinks: false,
    atomic: false,
    ...(!recursive && { depth: 0 }),
  });
  watcher.on('raw', (_event, name, details) => {
    const { watchedPath } = details as { readonly watchedPath: string };
    onTouched(name && !name.includes(BROKEN) ? join(watchedPath, name) : watchedPath);
  });
  watcher.on('all', (_event, path) => onTouched(path));
  let refuse: ((error: Error) => void) | undefined;
  watcher.on('error', (given) => {
    const error = given instanceof Error ? given : new Error(String(given));
    // A folder below that may not be read leaves the others as they are.
    if (refuse && !isClosed(error)) refuse(error);
    else onError(error);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      refuse = reject;
      watcher.once('ready', resolve);
    });
  } catch (error) {
    await watcher.close();
    throw error;
  } finally {
    refuse = undefined;
  }
  return {
    renew: (path) => void watcher.unwatch(path).add(path),
    close: () => watcher.close(),
  };
}

function isClosed(error: Error): boolean {
  return 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
}
