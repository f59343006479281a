import { resolve, relative, sep } from 'node:path';

import type { SessionOptions } from '#compiler/engine/unit-session.ts';

import { scandir_find } from '../find.ts';

/** Sent and failed files of a folder, as paths relative to it, with `/`. */
export interface Walked {
  /** The folder, as it was given. */
  readonly source: string;
  /** The remote prefix, without slashes at its end. */
  readonly prefix: string;
  /** Remote names of what was sent. */
  readonly uploaded: readonly string[];
  readonly sent: readonly string[];
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
}

/** Most files on their way at once. */
const AT_ONCE = 4;

/**
 * Sends each file of a folder and its sub-folders. `make_remote` makes the remote name of prefix and relative path,
 * `upload_one` sends a file and tells success; a file that fails does not stop the others. Rejects with
 * DirNotExistsException.
 */
export async function walk_and_upload(
  dir_path: string,
  prefix: string,
  make_remote: (prefix: string, relative_path: string) => string,
  upload_one: (path: string, remote: string) => boolean | Promise<boolean>,
  options: SessionOptions = {},
): Promise<Walked> {
  const root = resolve(dir_path);
  const start = prefix.replace(/\/+$/, '');
  const [uploaded, sent, failed]: [string[], string[], { path: string; reason: string }[]] = [[], [], []];
  const send = async (path: string): Promise<void> => {
    const name = relative(root, path).split(sep).join('/');
    try {
      const remote = make_remote(start, name);
      if (await upload_one(path, remote)) {
        sent.push(name);
        uploaded.push(remote);
      } else failed.push({ path: name, reason: 'it was not sent' });
    } catch (error) {
      failed.push({ path: name, reason: error instanceof Error ? error.message : String(error) });
    }
  };
  const files = scandir_find(root, options);
  const worker = async (): Promise<void> => {
    for (let next = await files.next(); !next.done; next = await files.next()) await send(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return {
    source: dir_path,
    prefix: start,
    uploaded: uploaded.toSorted(),
    sent: sent.toSorted(),
    failed: failed.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
  };
}
