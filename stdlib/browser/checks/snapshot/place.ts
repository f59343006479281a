import { join, resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { snapshotNameShared } from '#schemas/generated/failures.ts';

type Context = Base & Pick<Ports, 'files' | 'snapshots'>;

export interface SnapshotPlace {
  readonly name: string;
  /** The name with characters replaced that files should not have. */
  readonly file: string;
  readonly path: string;
  /** Holds the name where it is another one than that of the file. */
  readonly namePath: string;
}

export function placeOf(folder: string, name: string): SnapshotPlace {
  const file = name.replace(/[^\p{L}\p{N}\-_.]/gu, '_');
  return { name, file, path: join(folder, `${file}.snap`), namePath: join(folder, `${file}.snap.name`) };
}

/**
 * Fails where the file belongs to another name: `a/b` and `a_b` would share one. A file that tells no name belongs
 * to the first one that uses it.
 */
export async function claim(ctx: Context, { name, path, namePath }: SnapshotPlace): Promise<void> {
  const owner = (await readText(ctx, namePath)) ?? ctx.snapshots.owner(resolve(ctx.folders.cwd, path), name);
  if (owner !== name) throw snapshotNameShared({ name, other: owner, path });
}

export async function readText({ files }: Context, path: string): Promise<string | undefined> {
  return (await files.find(path))
    ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(await files.read(path))
    : undefined;
}

export async function writeText(ctx: Context, place: SnapshotPlace, value: string): Promise<void> {
  const options = { parents: true, durable: ctx.durable, signal: ctx.signal };
  if (place.file !== place.name) await ctx.files.write(place.namePath, place.name, options);
  await ctx.files.write(place.path, value, options);
}
