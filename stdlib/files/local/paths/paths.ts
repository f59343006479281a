import { parse, resolve, sep } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { command, type Context } from '#stdlib/command.ts';
import { isWithin } from '#stdlib/files/real-path.ts';

import { resolveLinks } from './resolve-links.ts';
import { isUsableOnWindows } from './windows-name.ts';

export const FA_safe_join = command('FA_safe_join', async ({ base, user_path }, ctx) => {
  if (base.includes('\0') || user_path.includes('\0')) throw fail.zeroInPath({});
  if (!isUsable(user_path)) throw fail.unusableName({ name: user_path });
  const found = await joined(ctx, base, user_path);
  if (!found.isInside) throw fail.pathOutside({ name: user_path, base });
  return found.path;
});

export const FA_is_within = command('FA_is_within', async ({ base, user_path }, ctx) => {
  if (base.includes('\0') || user_path.includes('\0') || !isUsable(user_path)) return false;
  return (await joined(ctx, base, user_path)).isInside;
});

interface Joined {
  readonly path: string;
  readonly isInside: boolean;
}

async function joined(
  { files, folders }: Pick<Context<'FA_safe_join'>, 'files' | 'folders'>,
  base: string,
  userPath: string,
): Promise<Joined> {
  const start = resolve(folders.cwd);
  const folder = await resolveLinks(files, start, base);
  const path = await resolveLinks(files, folder, userPath);
  return { path, isInside: isWithin(folder, path) };
}

/** Whether a path is plain on this system: device names and streams of files are special on Windows. */
function isUsable(path: string): boolean {
  return sep !== '\\' || isUsableOnWindows(path, parse(path).root);
}
