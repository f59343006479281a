import { basename, resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { folderNotFound } from '#schemas/generated/failures.ts';

export interface SeenFile {
  /** Absolute. */
  readonly path: string;
  readonly size: number;
  /** A browser that is still writing it has another file beside it. */
  readonly beside: boolean;
}

/** Endings of files that browsers still write. */
const unfinished = ['.crdownload', '.part'];

/** Those of files that a browser may still write, or that are a download: which it is, says only who waits for one. */
const mayBeUnfinished = ['.tmp', '.download'];

/** Names of files that Chromium and its kin write first, before they get that of the download with an ending. */
const nameless = /^\.(?:org\.chromium\.Chromium|com\.google\.Chrome|com\.microsoft\.Edge)\.[^.]+$/;

/** The regular files of a folder itself, sorted by path. */
export async function filesIn(ctx: Base & Pick<Ports, 'files'>, directory: string): Promise<readonly SeenFile[]> {
  const folder = resolve(ctx.folders.cwd, directory);
  const found = await ctx.files.find(folder);
  if (found?.kind !== 'directory') throw folderNotFound({ path: directory });
  const entries = await ctx.files.survey(folder, ctx.signal);
  const names = new Set(entries.map(({ name }) => name));
  return entries
    .filter(({ stat }) => stat.kind === 'file')
    .map(({ name, stat }) => ({
      path: resolve(folder, name),
      size: stat.size,
      beside: unfinished.some((ending) => names.has(name + ending)),
    }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

export function isUnfinished({ path, beside }: SeenFile): boolean {
  return beside || unfinished.some((ending) => path.endsWith(ending)) || nameless.test(basename(path));
}

/** The name of a file as it will be; browsers write into one that is called otherwise. */
export function nameOf({ path }: SeenFile): string {
  const name = basename(path);
  const ending = unfinished.find((each) => name.endsWith(each)) ?? '';
  return name.slice(0, name.length - ending.length);
}

/** The first finished file that was not known before and has this ending, in any letter case. */
export function newest(files: readonly SeenFile[], known: ReadonlySet<string>, suffix: string): SeenFile | undefined {
  const wanted = suffix.toLowerCase();
  const isOther = (path: string): boolean =>
    !path.endsWith(wanted) || mayBeUnfinished.some((ending) => path.endsWith(ending) && !wanted.endsWith(ending));
  return files.find((file) => !known.has(file.path) && !isUnfinished(file) && !isOther(file.path.toLowerCase()));
}
