import { dirname, join } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { entryAt } from '#stdlib/files/kind.ts';

import { checkMembers, type Chosen, type Placed } from './check-members.ts';

export type UnpackTools = Base & Pick<Ports, 'files' | 'zip' | 'random'>;

export interface UnpackWish extends Chosen {
  readonly target: string;
  readonly password: string | undefined;
}

/**
 * Unpacks members below a folder and yields the paths written, in archive order. All names, sizes and passwords are checked
 * first; everything is unpacked into a folder beside its place and moved there when the last byte was right, so that a broken
 * archive changes nothing. Nothing is written through a link.
 */
export async function unpack(tools: UnpackTools, wish: UnpackWish): Promise<string[]> {
  const { files, random } = tools;
  const placed = checkMembers(wish, tools.zip.limits);
  for (const { member } of placed) await member.unlock(wish.password);
  const there = await files.find(wish.target);
  if (there !== undefined && there.kind !== 'directory') throw fail.notAFolder({ path: wish.target });
  await refuseObstacles(tools, wish.target, placed);
  await files.makeDirectory(wish.target, { recursive: true });
  const stage = join(wish.target, `.${random.uuid()}.tmp`);
  await files.makeDirectory(stage);
  try {
    const staged = await stageFiles(tools, wish, placed, stage);
    await install(tools, wish.target, placed, staged);
  } finally {
    await files.removeTree(stage);
  }
  return placed.map(({ parts }) => join(wish.target, ...parts));
}

/** What stands in the way of members: links on the way, files in the place of folders and the reverse. */
async function refuseObstacles({ files }: UnpackTools, target: string, placed: readonly Placed[]): Promise<void> {
  const seen = new Set<string>();
  for (const { member, parts } of placed) {
    const folders = member.kind === 'folder' ? parts.length : parts.length - 1;
    for (let depth = 1; depth <= folders; depth += 1) {
      const path = join(target, ...parts.slice(0, depth));
      if (seen.has(path)) continue;
      seen.add(path);
      const there = await entryAt(files, path);
      if (there?.kind === 'symlink') throw fail.pathOutside({ name: member.name, base: target });
      if (there !== undefined && there.kind !== 'directory') throw fail.notAFolder({ path });
    }
    const path = join(target, ...parts);
    if (member.kind === 'file' && (await entryAt(files, path))?.kind === 'directory') throw fail.isAFolder({ path });
  }
}

async function stageFiles({ files, signal, durable }: UnpackTools, wish: UnpackWish, placed: readonly Placed[], stage: string): Promise<ReadonlyMap<Placed, string>> {
  const staged = new Map<Placed, string>();
  for (const item of placed) {
    signal.throwIfAborted();
    const { member } = item;
    if (member.kind === 'folder') continue;
    const path = join(stage, String(staged.size));
    await files.writeStream(path, member.content({ password: wish.password, signal }), { durable, signal });
    // As the tar command does: nobody else gets the right to write, and the owner can read what was unpacked.
    if (member.mode !== undefined) await files.setMode(path, (member.mode & 0o755) | 0o400);
    await files.setTimes(path, member.modifiedMs, member.modifiedMs);
    staged.set(item, path);
  }
  return staged;
}

async function install({ files }: UnpackTools, target: string, placed: readonly Placed[], staged: ReadonlyMap<Placed, string>): Promise<void> {
  for (const item of placed) {
    const path = join(target, ...item.parts);
    const from = staged.get(item);
    await files.makeDirectory(from === undefined ? path : dirname(path), { recursive: true });
    if (from !== undefined) await files.rename(from, path);
  }
  // A folder's times change while it is filled, so they come last, the deepest first.
  for (const { member, parts } of [...placed].reverse()) {
    if (member.kind !== 'folder' || parts.length === 0) continue;
    const path = join(target, ...parts);
    if (member.mode !== undefined) await files.setMode(path, (member.mode & 0o755) | 0o700);
    await files.setTimes(path, member.modifiedMs, member.modifiedMs);
  }
}
