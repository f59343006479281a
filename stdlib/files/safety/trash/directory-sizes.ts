import type { Files } from '#schemas/types/host.ts';
import { walk } from '#stdlib/files/walk.ts';

import { escapePath } from './trash-info.ts';
import type { TrashEntry, TrashTools } from './trash-can.ts';

/** Bytes in which file systems give out space. */
const BLOCK = 4096;

interface Places {
  readonly sizes: string;
  info(id: string): string;
}

/**
 * Keeps the file `directorysizes`, from which desktops read how large thrown-away folders are: `<bytes> <time of the
 * facts in seconds> <name in percent form>`, a line each. It only saves them time: another one's changes at the same
 * moment may be lost.
 */
export async function updateSizes(
  { files, signal }: TrashTools,
  { sizes, info }: Places,
  came: TrashEntry | undefined,
  gone: readonly string[],
): Promise<void> {
  const isThere = (await files.find(sizes))?.kind === 'file';
  if (!isThere && !came?.is_dir) return;
  const lines = isThere
    ? new TextDecoder()
        .decode(await files.read(sizes))
        .split('\n')
        .filter((line) => line !== '')
    : [];
  const stale = new Set([...gone, ...(came ? [came.trash_id] : [])].map(escapePath));
  const kept = lines.filter((line) => !stale.has(line.split(' ')[2] ?? ''));
  if (came?.is_dir)
    kept.push(
      `${await sizeOf(files, came.path, signal)} ${Math.floor((await files.lstat(info(came.trash_id))).mtime_ms / 1000)} ${escapePath(came.trash_id)}`,
    );
  if (kept.join('\n') !== lines.join('\n'))
    await files.write(sizes, kept.map((line) => `${line}\n`).join(''), { mode: 0o600, signal });
}

async function sizeOf(files: Files, folder: string, signal: AbortSignal): Promise<number> {
  let bytes = BLOCK;
  for await (const { path, kind } of walk(files, folder, { signal, skipsUnreadable: true })) {
    bytes += kind === 'directory' ? BLOCK : Math.ceil((await files.lstat(path)).size / BLOCK) * BLOCK;
  }
  return bytes;
}
