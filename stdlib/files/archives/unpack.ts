import { dirname, join } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';
import { entryAt } from '#stdlib/files/kind.ts';

import { Admission } from './admission.ts';
import { refuseLinksOut } from './links.ts';
import type { Member, Placed } from './member.ts';
import { Stage } from './stage.ts';

export type UnpackTools = Base & Pick<Ports, 'files' | 'archiveRules'>;

export interface UnpackRequest {
  readonly archive: string;
  readonly target: string;
  /** Bytes that the archive takes, or those of its members that were chosen. */
  readonly packedSize: number;
}

export interface KnownMembers {
  readonly members: readonly Member[];
  /** Content comes in the order of the members, one after the other. */
  readonly inOrder?: boolean;
  /** Asked when all members may be unpacked, before anything is written. */
  ready?(): Promise<void>;
  /** Asked when all content was read, before anything appears. */
  finish?(): Promise<void>;
}

/**
 * Unpacks members that are all known below a folder. Names, kinds and sizes are looked at first; everything is unpacked
 * into a folder beside its place and moved there when the last byte was right, so that a broken archive changes
 * nothing. Nothing is written through a link.
 */
export async function unpackKnown(
  tools: UnpackTools,
  request: UnpackRequest,
  known: KnownMembers,
): Promise<readonly Placed[]> {
  const admission = admissionOf(tools, request);
  const placed = known.members.map((member) => admission.admit(member));
  await known.ready?.();
  await refuseObstacles(tools, request, placed);
  return staged(tools, request, async (stage) => {
    if (known.inOrder === true) for (const item of placed) await stage.store(item, admission);
    else await inParallel(placed, (item) => stage.store(item, admission));
    await known.finish?.();
    return placed;
  });
}

/**
 * The same for an archive that is read once from one end to the other: each member is looked at before it is unpacked.
 */
export async function unpackStream(
  tools: UnpackTools,
  request: UnpackRequest,
  members: AsyncIterable<Member>,
): Promise<readonly Placed[]> {
  const admission = admissionOf(tools, request);
  return staged(tools, request, async (stage) => {
    const placed: Placed[] = [];
    for await (const member of members) {
      tools.signal.throwIfAborted();
      const item = admission.admit(member);
      placed.push(item);
      await stage.store(item, admission);
    }
    await refuseObstacles(tools, request, placed);
    await refuseLinksOut(
      { files: tools.files, signal: tools.signal, ...request },
      placed.filter(({ member }) => member.kind === 'symlink'),
    );
    return placed;
  });
}

/** Paths that members would get, each checked as unpacking does; nothing is written. */
export async function placesOf(
  tools: UnpackTools,
  request: UnpackRequest,
  members: AsyncIterable<Member> | Iterable<Member>,
): Promise<{ readonly write: readonly string[] }> {
  const admission = admissionOf(tools, request);
  const placed: Placed[] = [];
  for await (const member of members) {
    tools.signal.throwIfAborted();
    placed.push(admission.admit(member));
  }
  await refuseObstacles(tools, request, placed);
  return { write: placed.map(({ parts }) => join(request.target, ...parts)) };
}

function admissionOf({ archiveRules }: UnpackTools, { archive, target, packedSize }: UnpackRequest): Admission {
  return new Admission({ archive, target, packedSize, rules: archiveRules });
}

/**
 * Fills a folder beside the members' places and moves everything there at the end; a failure leaves neither that folder
 * nor a new target.
 */
async function staged(
  tools: UnpackTools,
  { target }: UnpackRequest,
  fill: (stage: Stage) => Promise<readonly Placed[]>,
): Promise<readonly Placed[]> {
  const { files } = tools;
  const there = (await files.find(target)) ?? (await entryAt(files, target));
  if (there !== undefined && there.kind !== 'directory') throw fail.notAFolder({ path: target });
  const made = there === undefined ? await missingFolders(tools, target) : [];
  await files.makeDirectory(target, { recursive: true });
  const stage = new Stage(tools, target);
  try {
    await stage.open();
    const placed = await fill(stage);
    await stage.install(placed);
    await stage.close();
    return placed;
  } catch (error) {
    await stage.close();
    // Those that are no longer empty hold what was already there for others to see.
    for (const folder of made) await files.remove(folder).catch(() => undefined);
    throw error;
  }
}

/** The target and the folders above it that are not there, the deepest first. */
async function missingFolders({ files }: UnpackTools, target: string): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let at = target; (await files.find(at)) === undefined; at = dirname(at)) {
    missing.push(at);
    if (dirname(at) === at) break;
  }
  return missing;
}

/** Refuses members for which there is no room: links on the way, files in the place of folders and the reverse. */
async function refuseObstacles(
  { files }: UnpackTools,
  { target }: UnpackRequest,
  placed: readonly Placed[],
): Promise<void> {
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
    if (member.kind !== 'folder' && (await entryAt(files, path))?.kind === 'directory') throw fail.isAFolder({ path });
  }
}
