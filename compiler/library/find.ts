import { resolve } from 'node:path';

import { requireFolder } from '#stdlib/files/kind.ts';
import { installedIndex, type IndexProgram } from '#stdlib/files/local/find/ask-index.ts';
import { scan } from '#stdlib/files/local/find/scan.ts';

import { lazily } from './lazily.ts';
import { once } from './session.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { wanted } from '#compiler/engine/wanted.ts';

/** Options that choose what is listed. */
export interface FindOptions extends SessionOptions {
  /** A shell glob for base names, whatever their case; `*` by default. */
  readonly pattern?: string;
  /** The most that are yielded; all by default. */
  readonly limit?: number | null;
  /** Leaves out folders; true by default. */
  readonly files_only?: boolean;
}

/**
 * Absolute paths below a folder, one after the other as it is read. Folders that may not be read are passed
 * over; links to folders are not entered.
 */
export async function* scandir_find(
  root: string,
  { pattern = '*', limit, files_only, ...options }: FindOptions = {},
): AsyncGenerator<string, void> {
  const given = await wanted('FA_fast_find', { root, pattern, limit, files_only, use_index: false });
  yield* lazily(
    'scandir_find',
    ['files'],
    async function* (place) {
      await requireFolder(place.files, root);
      yield* scan(place, {
        root: resolve(place.folders.cwd, root),
        pattern: given.pattern,
        limit: given.limit ?? Infinity,
        filesOnly: given.files_only,
      });
    },
    options,
  );
}

/**
 * The index program of the operating system that `FA_fast_find` would ask first: it is installed, which does not say
 * how fresh its index is.
 */
export function has_os_index(options: SessionOptions = {}): Promise<IndexProgram | null> {
  return once('has_os_index', ['processes'], installedIndex, options);
}
