import { dirname, join } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files, WriteOptions } from '#schemas/types/host.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';
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
  if (there !== undefined) await refuseObstacles(tools, wish.target, placed);
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
  const contents = placed.filter(({ member }) => member.kind === 'file');
  contents.forEach((item, index) => staged.set(item, join(stage, String(index))));
  await inParallel(contents, async ({ member }, index) => {
    signal.throwIfAborted();
    const path = join(stage, String(index));
    // As the tar command does: nobody else gets the right to write, and the owner can read what was unpacked.
    const mode = member.mode === undefined ? {} : { mode: (member.mode & 0o755) | 0o400 };
    await writeContent(files, path, member.content({ password: wish.password, signal }), { durable, signal, ...mode });
    await files.setTimes(path, member.modifiedMs, member.modifiedMs);
  });
  return staged;
}

/** A small member is one chunk, and faster written as such. */
async function writeContent(files: Files, path: string, content: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<void> {
  const chunks = content[Symbol.asyncIterator]();
  const first = await chunks.next();
  const second = first.done === true ? first : await chunks.next();
  if (second.done === true) return files.write(path, first.value ?? '', options);
  await files.writeStream(path, rest([first.value, second.value], chunks), options);
}

async function* rest(begun: readonly Uint8Array[], chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* begun;
  yield* { [Symbol.asyncIterator]: () => chunks };
}

async function install({ files }: UnpackTools, target: string, placed: readonly Placed[], staged: ReadonlyMap<Placed, string>): Promise<void> {
  const folders = new Set(
    placed.map((item) => {
      const path = join(target, ...item.parts);
      return staged.has(item) ? dirname(path) : path;
    }),
  );
  for (const folder of folders) await files.makeDirectory(folder, { recursive: true });
  await inParallel([...staged], ([{ parts }, from]) => files.rename(from, join(target, ...parts)));
  // A folder's times change while it is filled, so they come last, the deepest first.
  for (const { member, parts } of [...placed].reverse()) {
    if (member.kind !== 'folder' || parts.length === 0) continue;
    const path = join(target, ...parts);
    if (member.mode !== undefined) await files.setMode(path, (member.mode & 0o755) | 0o700);
    await files.setTimes(path, member.modifiedMs, member.modifiedMs);
  }
}
