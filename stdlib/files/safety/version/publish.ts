import { basename, join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { hasCode } from '#stdlib/files/has-code.ts';
import { entryAt } from '#stdlib/files/kind.ts';

import { isRemoved } from './is-removed.ts';
import { snapshotNamed, snapshotsIn, type Snapshot } from './snapshots.ts';

const CLAIM = /^v\d{6,15}\.claim$/;
/** Names of temporary files: a claim leads nowhere else. */
const PART = /^\.[^/\\]*\.tmp$/;

/** The finished snapshot under its temporary name, and the one that it gets; both in the folder of the claim. */
interface Claim {
  readonly part: string;
  readonly snapshot: Snapshot;
}

/**
 * Gives a finished snapshot the next number, also where several processes store versions of one file. A number belongs
 * to who makes its claim first. Whoever finds a claim finishes it, so that nobody waits for a process that was killed.
 */
export async function publish(
  files: Files,
  folder: string,
  part: string,
  nameOf: (version: number) => string,
): Promise<Snapshot> {
  for (;;) {
    await finishClaims(files, folder);
    const version = await nextVersion(files, folder);
    const name = nameOf(version);
    const claim = join(folder, `${name.slice(0, name.indexOf('__'))}.claim`);
    if (!(await isMade(files, claim, `${basename(part)}\n${name}\n`))) continue;
    // The number may have been given between the look and the claim.
    const isOurs =
      (await nextVersion(files, folder)) === version &&
      (await isRemoved(files.rename(part, join(folder, name), { durable: true })));
    await isRemoved(files.remove(claim));
    const snapshot = snapshotNamed(name);
    if (snapshot === undefined) throw new Error(`"${name}" is no name of a snapshot`);
    if (isOurs) return snapshot;
    // Where the part is still there, a snapshot of that name is somebody else's: of the same moment, and first.
    if ((await entryAt(files, part)) !== undefined) continue;
    if ((await files.find(join(folder, name))) === undefined) throw fail.fileNotFound({ path: join(folder, name) });
    return snapshot;
  }
}

async function nextVersion(files: Files, folder: string): Promise<number> {
  return ((await snapshotsIn(files, folder)).at(-1)?.version ?? 0) + 1;
}

/** False where somebody else has claimed that number. */
async function isMade(files: Files, path: string, text: string): Promise<boolean> {
  try {
    await files.write(path, text, { exclusive: true });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function finishClaims(files: Files, folder: string): Promise<void> {
  for (const { name } of (await files.list(folder)).filter((entry) => CLAIM.test(entry.name))) {
    const claim = await claimAt(files, join(folder, name));
    if (claim !== undefined && claim.snapshot.version === (await nextVersion(files, folder))) {
      await isRemoved(files.rename(join(folder, claim.part), join(folder, claim.snapshot.name), { durable: true }));
    }
    await isRemoved(files.remove(join(folder, name)));
  }
}

/** Undefined where it is gone by now, or says nothing that can be done. */
async function claimAt(files: Files, path: string): Promise<Claim | undefined> {
  const found = await entryAt(files, path);
  if (found?.kind !== 'file') return undefined;
  let text: string;
  try {
    text = new TextDecoder().decode(await files.read(path));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const [part = '', name = ''] = text.split('\n');
  const snapshot = snapshotNamed(name);
  return snapshot && PART.test(part) ? { part, snapshot } : undefined;
}
