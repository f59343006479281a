import { basename, dirname, join, resolve } from 'node:path';

import { DesktopCan } from './desktop-can.ts';
import { OwnCan } from './own-can.ts';
import type { TrashCan, TrashTools } from './trash-can.ts';

/**
 * The layout follows the folder: one called `Trash` or `.Trash-<number>`, one in `.Trash`, and one that holds `files`
 * and `info` are trash cans of the desktop; any other folder has a layout of its own.
 */
export async function openCan(tools: TrashTools, trash_dir: string): Promise<TrashCan> {
  const can = resolve(tools.folders.cwd, trash_dir);
  const isNamedSo = basename(can) === 'Trash' || topOf(can) !== undefined;
  return isNamedSo || (await hasDesktopFolders(tools, can))
    ? new DesktopCan(tools, can, topOf(can))
    : new OwnCan(tools, can);
}

/** The folder at the top of the file system that such a can serves. */
function topOf(can: string): string | undefined {
  if (/^\.Trash-\d+$/.test(basename(can))) return dirname(can);
  return /^\d+$/.test(basename(can)) && basename(dirname(can)) === '.Trash' ? dirname(dirname(can)) : undefined;
}

async function hasDesktopFolders({ files }: TrashTools, can: string): Promise<boolean> {
  const found = await Promise.all(['files', 'info'].map((name) => files.find(join(can, name))));
  return found.every((stat) => stat?.kind === 'directory');
}
