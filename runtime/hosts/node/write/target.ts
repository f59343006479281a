import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { WriteOptions } from '#schemas/types/host.ts';

import { systemError } from '../system-error.ts';
import { fromNative, toNative } from '../paths.ts';
import { temporaryBeside } from './temporary.ts';

/** File that takes whole content, and the temporary file beside it that is written first. */
export interface Target {
  /** The file that a symbolic link names, else the path itself. */
  readonly path: string;
  readonly temporary: string;
  /** Permission bits to set; undefined: what the process makes by default. */
  readonly mode: number | undefined;
  /**
   * A pipe, socket or device: content goes straight into it, because a rename would put a file in its place, and its
   * bits and times stay.
   */
  readonly special: boolean;
}

export function targetOf(path: string, options: WriteOptions): Target {
  const found = lstatSync(toNative(path), { throwIfNoEntry: false });
  if (found && options.exclusive) throw systemError('EEXIST', 'file already exists', path);
  const real = found?.isSymbolicLink() ? linked(path) : path;
  const there = real === path ? found : lstatSync(toNative(real), { throwIfNoEntry: false });
  if (there?.isDirectory()) throw systemError('EISDIR', 'illegal operation on a directory', path);
  const special = there !== undefined && !isRegular(there);
  return {
    path: real,
    temporary: special ? real : temporaryBeside(real),
    mode: options.mode ?? (there && isRegular(there) ? there.mode & 0o7777 : undefined),
    special,
  };
}

function isRegular(stats: Stats): boolean {
  return stats.isFile();
}

/** The end of a chain of links; the name that the last one gives where nothing is there yet. */
function linked(path: string): string {
  try {
    return fromNative(realpathSync.native(toNative(path), { encoding: 'buffer' }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return danglingTarget(path, 40);
  }
}

function danglingTarget(path: string, left: number): string {
  if (left === 0) throw systemError('ELOOP', 'too many symbolic links encountered', path);
  const next = resolve(dirname(path), fromNative(readlinkSync(toNative(path), { encoding: 'buffer' })));
  return lstatSync(toNative(next), { throwIfNoEntry: false })?.isSymbolicLink() ? danglingTarget(next, left - 1) : next;
}
