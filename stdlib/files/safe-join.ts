import { parse, resolve, sep } from 'node:path';

import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

import { isWithin } from './real-path.ts';
import { resolveLinks } from './resolve-links.ts';
import { isUsableOnWindows } from './windows-name.ts';

export interface JoinTools extends Pick<Base, 'folders'> {
  readonly files: Files;
}

export interface Joined {
  readonly path: string;
  readonly isInside: boolean;
}

/** The absolute path that somebody else's path means below a folder. Fails where it leaves that, also by links. */
export async function safelyJoined(tools: JoinTools, base: string, userPath: string): Promise<string> {
  if (base.includes('\0') || userPath.includes('\0')) throw fail.zeroInPath({});
  if (!isPlain(userPath)) throw fail.unusableName({ name: userPath });
  const found = await joined(tools, base, userPath);
  if (!found.isInside) throw fail.pathOutside({ name: userPath, base });
  return found.path;
}

/** The absolute path that a path means from a folder, links followed on both sides, and whether it lies below it. */
export async function joined({ files, folders }: JoinTools, base: string, userPath: string): Promise<Joined> {
  const folder = await resolveLinks(files, resolve(folders.cwd), base);
  const path = await resolveLinks(files, folder, userPath);
  return { path, isInside: isWithin(folder, path) };
}

/** Whether a path is plain on this system: device names and streams of files are special on Windows. */
export function isPlain(path: string): boolean {
  return sep !== '\\' || isUsableOnWindows(path, parse(path).root);
}
