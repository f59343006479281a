import { join } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files, FileStat } from '#schemas/types/host.ts';
import { hasCode } from '#stdlib/files/has-code.ts';
import { entryAt } from '#stdlib/files/kind.ts';
import { sourceAtRest } from '#stdlib/files/source-at-rest.ts';
import { walkAll, type Found } from '#stdlib/files/walk.ts';

import { removeItem } from './remove-item.ts';

type Tools = Pick<Base, 'signal'> & Pick<Ports, 'files'>;

export interface Move {
  readonly from: string;
  /** Free when it was looked at. */
  readonly to: string;
  /** Folder for copies on the way to another file system. */
  readonly workshop: string;
  /** Something may have come to `to` meanwhile, and must stay. */
  readonly isContested: boolean;
}

/**
 * Moves a file, a link or a folder; to another file system by a copy that is whole and on the disk before the original
 * goes.
 */
export async function moveContent(tools: Tools, move: Move): Promise<void> {
  const { files } = tools;
  const item = await files.lstat(move.from);
  try {
    await put(files, move.from, move, item);
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw error;
    await moveAcross(tools, move, item);
  }
}

async function moveAcross(tools: Tools, move: Move, item: FileStat): Promise<void> {
  const { files } = tools;
  const isFolder = item.kind === 'directory';
  const copy = files.temporaryBeside(join(move.workshop, 'copy'));
  try {
    await copyWhole(tools, move.from, copy, item);
    await put(files, copy, move, item);
  } catch (error) {
    if ((await entryAt(files, copy)) !== undefined) await removeItem(files, copy, isFolder);
    throw error;
  }
  await takeAway(files, move, isFolder);
}

/**
 * Takes the source away. If several processes move one thing, the first to rename it has it; the others give up their
 * copies.
 */
async function takeAway(files: Files, { from, to }: Move, isFolder: boolean): Promise<void> {
  const away = files.temporaryBeside(from);
  try {
    await files.rename(from, away);
  } catch (error) {
    await removeItem(files, to, isFolder);
    throw error;
  }
  try {
    await removeItem(files, away, isFolder);
  } catch (cause) {
    throw fail.removeFailed({ path: away, cause });
  }
}

/** The last step of a move, which replaces nothing but an empty thing that keeps the place. */
async function put(files: Files, from: string, { to, isContested }: Move, item: FileStat): Promise<void> {
  if (!isContested) return files.rename(from, to, { durable: true });
  if (item.kind === 'file' && (await isLinked(files, from, to))) return files.remove(from);
  const isFolder = item.kind === 'directory';
  if (isFolder) await files.makeDirectory(to);
  else await files.write(to, '', { exclusive: true });
  try {
    await files.rename(from, to, { durable: true });
  } catch (error) {
    await files.remove(to);
    throw error;
  }
}

/** Gives a file a second name, which nothing can have taken; false where the file system knows no such thing. */
async function isLinked(files: Files, from: string, to: string): Promise<boolean> {
  try {
    await files.hardLink(from, to);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST') || hasCode(error, 'EXDEV') || hasCode(error, 'ENOENT')) throw error;
    return false;
  }
}

async function copyWhole(tools: Tools, from: string, to: string, item: FileStat): Promise<void> {
  if (item.kind !== 'directory') return copyOne(tools, from, to, item);
  const found = await walkAll(tools.files, from, { signal: tools.signal });
  const folders = [{ path: from, name: '' }, ...found.filter(({ kind }) => kind === 'directory')];
  for (const { path, kind } of found)
    if (kind !== 'file' && kind !== 'directory' && kind !== 'symlink') throw fail.specialFile({ path });
  await tools.files.makeDirectory(to);
  for (const { name, path, kind } of found) {
    if (kind === 'directory') await tools.files.makeDirectory(join(to, name));
    else await copyOne(tools, path, join(to, name), await tools.files.lstat(path));
  }
  await refuseChanged(tools, from, found);
  // A folder's times change while it is filled, so they come last, the deepest first.
  for (const { name, path } of folders.reverse())
    await copyFacts(tools.files, await tools.files.lstat(path), join(to, name));
}

async function copyOne({ files, signal }: Tools, from: string, to: string, item: FileStat): Promise<void> {
  signal.throwIfAborted();
  if (item.kind === 'symlink') return files.link(await files.readLink(from), to);
  if (item.kind !== 'file') throw fail.specialFile({ path: from });
  await files.writeStream(to, sourceAtRest(files, from, { signal }), {
    durable: true,
    mode: item.mode & 0o7777,
    signal,
  });
  await files.setTimes(to, item.atime_ms, item.mtime_ms);
}

/** Fails where entries came or went while a folder was copied: they would be lost with it. */
async function refuseChanged({ files, signal }: Tools, from: string, before: readonly Found[]): Promise<void> {
  const after = await walkAll(files, from, { signal });
  if (
    after.length !== before.length ||
    after.some(({ name, kind }, index) => name !== before[index]?.name || kind !== before[index]?.kind)
  )
    throw fail.sourceChanged({ path: from });
}

async function copyFacts(files: Files, { mode, atime_ms, mtime_ms }: FileStat, to: string): Promise<void> {
  await files.setMode(to, mode & 0o7777);
  await files.setTimes(to, atime_ms, mtime_ms);
}
