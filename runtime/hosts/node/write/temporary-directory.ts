import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { stateOf, thisProcess } from './owner.ts';
import { mark } from './temporary.ts';
import { whenNeeded } from '../when-needed.ts';

const ours = /^svc-[a-z]+-tmp-([0-9a-z]+)-([0-9a-z]+)-([0-9a-z]+)-[^/]+$/;

/** A new folder below the system's folder for such, readable by this user only. Its name says which process made it. */
export function temporaryDirectory(prefix: string): Promise<string> {
  return whenNeeded.later.mkdtemp(join(whenNeeded.os.tmpdir(), prefix + mark()));
}

/** Folders of processes that ran elsewhere, or cannot be asked after, stay: nobody can tell that they are dead. */
export async function sweepTemporary(): Promise<void> {
  const folder = whenNeeded.os.tmpdir();
  try {
    for (const name of readdirSync(folder)) if (isLeftOver(folder, name)) remove(join(folder, name));
  } catch {
    // A folder that may not be listed.
  }
}

function isLeftOver(folder: string, name: string): boolean {
  const match = ours.exec(name);
  if (match === null) return false;
  const [, world = '', pid = '', start = ''] = match;
  if (stateOf({ world, pid: Number.parseInt(pid, 36), start }, thisProcess()) !== 'ended') return false;
  const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}

/** Links in it are removed, never followed. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Another run removes it at the same time, or something in it is not ours.
  }
}
