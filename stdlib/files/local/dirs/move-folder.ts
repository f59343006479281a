import { basename, dirname, sep } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { copyTree, type CopyPlace } from '#stdlib/files/copy-tree.ts';
import { hasCode } from '#stdlib/files/has-code.ts';
import { entryAt, isSame, requireFolder } from '#stdlib/files/kind.ts';
import { isWithin, realPathOf } from '#stdlib/files/real-path.ts';

export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * Renames a folder, also over an empty one. Between file systems it is copied beside its new place, put there at once
 * when the copy is whole, and only then removed from the old one.
 */
export async function moveFolder(place: CopyPlace, move: Move): Promise<void> {
  const { files, cwd } = place;
  const { from, to } = move;
  const hasEmptyTarget = await checkTarget(place, move);
  if (isWithin(await realPathOf(files, cwd, from), await realPathOf(files, cwd, dirname(to))))
    throw fail.targetInsideSource({ source: from, target: to });
  try {
    await requireFolder(files, dirname(to));
    // A system that replaces an empty folder by itself keeps it where the folder cannot be renamed.
    if (hasEmptyTarget && (sep === '\\' || (await entryAt(files, from))?.kind === 'symlink')) await files.remove(to);
    await files.rename(from, to);
  } catch (cause) {
    if (!hasCode(cause, 'EXDEV')) throw fail.renameFailed({ source: from, target: to, cause });
    await moveAcross(place, move);
  }
}

/** Whether an empty folder stands in the way; fails for anything else that does. */
async function checkTarget({ files }: CopyPlace, { from, to }: Move): Promise<boolean> {
  const source = await entryAt(files, from);
  const there = await entryAt(files, to);
  if (there === undefined) return false;
  if (source !== undefined && isSame(source, there)) {
    // Names that differ only by letter case are one folder on some systems: there it can be renamed.
    if (basename(from) === basename(to)) throw fail.sameFile({ source: from, target: to });
    return false;
  }
  if (there.kind !== 'directory') throw fail.pathTaken({ path: to });
  if ((await files.list(to)).length > 0) throw fail.folderNotEmpty({ path: to });
  return true;
}

async function moveAcross(place: CopyPlace, { from, to }: Move): Promise<void> {
  const { files } = place;
  const temporary = files.temporaryBeside(to);
  try {
    const source = await entryAt(files, from);
    if (source?.kind === 'symlink') {
      await files.link(await files.readLink(from), to);
      return await files.remove(from);
    }
    await copyTree(place, from, temporary);
    if (source !== undefined) {
      await files.setMode(temporary, source.mode & 0o7777);
      await files.setTimes(temporary, source.atime_ms, source.mtime_ms);
    }
    await files.rename(temporary, to);
    await files.removeTree(from);
  } catch (cause) {
    if ((await entryAt(files, temporary)) !== undefined) await files.removeTree(temporary);
    throw fail.renameFailed({ source: from, target: to, cause });
  }
}
