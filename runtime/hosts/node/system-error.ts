import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { toNative } from './paths.ts';

/** An error as the operating system's calls throw it. */
export function systemError(code: string, text: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${text}, '${path}'`), { code, path });
}

/**
 * Gives an error of the system the name that the caller knows: it may speak of a temporary file, of bytes, or of no
 * file at all.
 */
export function about(error: unknown, path: string): unknown {
  if (!(error instanceof Error && 'code' in error && ('path' in error || 'syscall' in error))) return error;
  return systemError(String(error.code), reason(error), error.code === 'ENOTDIR' ? noFolder(path) : path);
}

/** An error of the system that speaks of another path. */
export function renamed(error: Error, path: string): Error {
  return systemError(codeOf(error) ?? 'EIO', reason(error), path);
}

/** The part of a path that stands where a folder should; the path itself where that cannot be told. */
function noFolder(path: string): string {
  for (let part = path, above = dirname(part); part !== above; part = above, above = dirname(part)) {
    const kept = join(above, basename(part));
    const kind = kindAt(kept);
    if (kind !== undefined) return kind === 'other' ? kept : path;
  }
  return path;
}

/** Undefined where nothing is there, or where that cannot be told. */
function kindAt(path: string): 'folder' | 'other' | undefined {
  try {
    return statSync(toNative(path)).isDirectory() ? 'folder' : 'other';
  } catch {
    return undefined;
  }
}

/** Runs `work`; its errors name the path as the caller wrote it. */
export function naming<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw about(error, path);
  }
}

/** The same of what takes time. */
export async function namingLater<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw about(error, path);
  }
}

function reason(error: Error): string {
  return /^[A-Z0-9]+: (.*?)(?:, [a-z]+)?(?:,? '.*)?$/s.exec(error.message)?.[1] ?? error.message;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
