import { dirname, extname, join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { hasExtension } from '#stdlib/files/extension.ts';
import { entryAt, foundAt } from '#stdlib/files/kind.ts';
import { walk } from '#stdlib/files/walk.ts';

import { byNumbers } from './natural-order.ts';

export interface Rename {
  readonly source: string;
  readonly target: string;
}

export interface RenameRequest {
  readonly root: string;
  readonly stem: string;
  readonly extension: string | null;
  readonly signal: AbortSignal;
}

/**
 * Numbers the files below a folder, in an order in which 2 comes before 10: a second run changes nothing. Fails when a
 * new name belongs to something that is not renamed itself.
 */
export async function planRenames(
  files: Files,
  { root, stem, extension, signal }: RenameRequest,
): Promise<readonly Rename[]> {
  const found: { readonly name: string; readonly path: string }[] = [];
  for await (const { name, path, kind } of walk(files, root, { signal })) {
    if (extension !== null && !hasExtension(name, extension)) continue;
    const isFile = kind === 'file' || (kind === 'symlink' && (await foundAt(files, path))?.kind !== 'directory');
    if (isFile) found.push({ name, path });
  }
  found.sort((one, other) => byNumbers(one.name, other.name));
  const renames = found.map(({ path }, index) => ({
    source: path,
    target: join(dirname(path), `${stem}_${index}${suffixOf(path, extension)}`),
  }));
  await refuseTaken(files, renames);
  return renames.filter(({ source, target }) => source !== target);
}

async function refuseTaken(files: Files, renames: readonly Rename[]): Promise<void> {
  const sources = new Set(renames.map(({ source }) => source));
  for (const { source, target } of renames) {
    if (!sources.has(target) && (await entryAt(files, target)) !== undefined)
      throw fail.renameTargetTaken({ source, target });
  }
}

/**
 * Text after the stem of the old name: the extension that was asked for as it is written there, else the last
 * one.
 */
function suffixOf(path: string, extension: string | null): string {
  return extension === null ? extname(path) : path.slice(-extension.replace(/^\./, '').length - 1);
}

/**
 * All or nothing, as far as the system lets it: after a failure, or when it is stopped, the files that have a new name
 * get the old one back.
 */
export async function renameAll(
  files: Files,
  renames: readonly Rename[],
  { mark, signal }: { readonly mark: string; readonly signal: AbortSignal },
): Promise<void> {
  const done: Rename[] = [];
  const step = async (source: string, target: string): Promise<void> => {
    signal.throwIfAborted();
    await files.rename(source, target);
    done.push({ source, target });
  };
  const waiting = new Set(renames.map(({ source }) => source));
  const parked: Rename[] = [];
  let current: Rename | undefined;
  try {
    for (const rename of renames) {
      current = rename;
      waiting.delete(rename.source);
      if (!waiting.has(rename.target)) {
        await step(rename.source, rename.target);
        continue;
      }
      // The new name still belongs to a file that gets another one later.
      const parking = join(dirname(rename.source), `.${mark}.${parked.length}`);
      await step(rename.source, parking);
      parked.push({ source: parking, target: rename.target });
    }
    for (const rename of parked) await step((current = rename).source, rename.target);
  } catch (cause) {
    for (const { source, target } of done.reverse()) await files.rename(target, source);
    signal.throwIfAborted();
    throw fail.renameFailed({ source: current?.source ?? '', target: current?.target ?? '', cause });
  }
}
