import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import type { Backend, Content, Entry, Stored } from '../backend.ts';
import { patiently, waitBefore } from '../passing.ts';
import { folderOf, joinRemote } from '../remote-path.ts';
import { awaited, removing } from '../tidied-up.ts';
import type { CopyOptions, Place, TransferTools } from './job.ts';
import { NotedUpload } from './noted-upload.ts';
import { removeLeft } from './remove-left.ts';
import { SourceStream } from './source-stream.ts';
import { toldOf } from './told-of.ts';

/** A file whose size is known. */
export type SizedEntry = Entry & { readonly size: number };

/**
 * Copies one file from any backend to any other, in constant memory. The target changes when all of it is there
 * and was verified, by size and by the digests that either service tells. A failure that may pass is tried
 * again, going on where that is possible.
 */
export async function copyFile(
  tools: TransferTools,
  from: Place,
  to: Place,
  options: CopyOptions = {},
): Promise<SizedEntry> {
  const { clock, transfer } = tools;
  const { signal } = transfer;
  if (to.backend.can.folders && to.path.endsWith('/'))
    throw fail.storagePath({ path: to.path, reason: 'what ends with a slash is a folder, and a file is sent' });
  const source = await patiently(clock, signal, () => requireFile(from, signal));
  transfer.expect(source.size);
  await copySeen(tools, { from, source, to }, options);
  return source;
}

export interface SeenJob {
  readonly from: Place;
  /** Source as it was seen last. */
  readonly source: SizedEntry;
  readonly to: Place;
}

/** The same for a file that was looked at already. */
export async function copySeen(tools: TransferTools, job: SeenJob, options: CopyOptions = {}): Promise<void> {
  const { signal } = tools.transfer;
  const { backend, path } = job.to;
  await removeLeft(tools, backend);
  if (!backend.can.rename) {
    await deliverInParts(tools, job, options);
    return;
  }
  if (options.exclusive) await refuseTaken(tools, job.to);
  const part = joinRemote(folderOf(path), await partName(tools, job, options));
  const { mtime_ms } = job.source;
  try {
    const stored = await deliver(tools, job, part, { resume: options.resume === true });
    // Under its own name the file may be gone for a moment, where another transfer is replacing it.
    if (backend.can.times !== false && mtime_ms !== undefined && stored.mtime_ms === undefined)
      await backend.setTime?.(part, mtime_ms, { signal });
    await patiently(tools.clock, signal, () => renamed(backend, part, job, signal));
  } catch (error) {
    if (!options.resume || !isWorthKeeping(error)) await dropPart(tools, backend, part);
    throw toldOf(path, part, error);
  }
}

/** Fails where there is no file. */
export async function requireFile({ backend, path }: Place, signal: AbortSignal): Promise<SizedEntry> {
  const entry = await backend.stat(path, { signal });
  const facts = { place: backend.place, path };
  if (entry === undefined) throw fail.storageNotFound(facts);
  if (entry.kind === 'folder') throw fail.storageIsFolder(facts);
  const { size } = entry;
  if (entry.kind !== 'file' || size === undefined)
    throw fail.storageRejected({ ...facts, reason: 'it is neither a file nor a folder' });
  return { ...entry, size };
}

async function refuseTaken({ clock, transfer }: TransferTools, { backend, path }: Place): Promise<void> {
  const { signal } = transfer;
  if (await patiently(clock, signal, () => backend.stat(path, { signal })))
    throw fail.storageExists({ place: backend.place, path });
}

/** A part that is gone already was renamed: the answer got lost, not the work. */
async function renamed(backend: Backend, part: string, { to, source }: SeenJob, signal: AbortSignal): Promise<void> {
  const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) };
  try {
    await backend.rename?.(part, to.path, options);
  } catch (error) {
    if (await backend.stat(part, options)) throw error;
    if ((await backend.stat(to.path, options))?.size !== source.size) throw error;
  }
}

/** A name that nobody else has; with `resume` one that the same version of the same source gets again. */
async function partName(tools: TransferTools, job: SeenJob, { resume }: CopyOptions): Promise<string> {
  const { digests, random, uploads } = tools;
  const { backend, path } = job.to;
  if (!resume) {
    const own = random.uuid().replaceAll('-', '').slice(0, 20);
    const isNear = backend.scheme === 'local' || backend.scheme === 'memory';
    return `.svc-${(!isNear && (await uploads?.mark(backend.place, folderOf(path)))) || ''}${own}.part`;
  }
  const digest = digests.open('sha256');
  digest.update(new TextEncoder().encode(sourceText(job)));
  return `.svc-${digest.hex().slice(0, 20)}.part`;
}

/** Text that another source, another version of it and another target do not have. */
function sourceText({ from, source, to }: SeenJob): string {
  const { size, mtime_ms, version } = source;
  return JSON.stringify([from.backend.place, from.path, size, mtime_ms ?? null, version ?? null, to.path]);
}

/** Whether a later call may go on with the part: not with one that turned out to be wrong. */
function isWorthKeeping(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  return !['storage-digest', 'storage-size', 'storage-changed'].includes(name);
}

/**
 * Removes the part. After a cancellation that may last longer than anybody waits, since it needs a connection of its
 * own: it goes on until the unit ends.
 */
async function dropPart({ transfer, uploads }: TransferTools, backend: Backend, part: string): Promise<void> {
  const removal = removing((signal) => removePart(backend, part, signal));
  const gone = await awaited(removal, transfer.signal);
  if (gone) return;
  if (uploads) uploads.leavesPart(removal);
  else removal.stop();
}

async function removePart(backend: Backend, part: string, signal: AbortSignal): Promise<boolean> {
  try {
    await backend.remove(part, { signal });
    return true;
  } catch (error) {
    return error instanceof Failure && error.facts.name === 'storage-not-found';
  }
}

/** Sends to where nothing can be renamed: in parts that a later call goes on with, where that was asked for. */
async function deliverInParts(tools: TransferTools, job: SeenJob, options: CopyOptions): Promise<void> {
  const { backend, path } = job.to;
  const { resumes } = backend.can;
  const { signal } = tools.transfer;
  const taken =
    options.resume && resumes !== undefined && job.source.size > resumes
      ? await tools.uploads?.take({ place: backend.place, path, source: sourceText(job) }, signal)
      : undefined;
  const held = taken && new NotedUpload(taken);
  try {
    await deliver(tools, job, path, { ...options, resume: false, ...(held && { held }) });
    await held?.forget();
  } catch (error) {
    if (held && !isWorthKeeping(error)) await held.abandon(backend, path);
    throw error;
  } finally {
    await held?.end();
  }
}

/** Writes all of the source to a path, and sees that it is there. Yields what the service says of it. */
async function deliver(
  tools: TransferTools,
  { from, source, to }: SeenJob,
  path: string,
  { resume, exclusive, held }: CopyOptions & { readonly held?: NotedUpload },
): Promise<Stored> {
  const { clock, transfer } = tools;
  const { signal } = transfer;
  const { backend } = to;
  const stream = new SourceStream(tools, from, source);
  const there = async (): Promise<number> => {
    if (!backend.can.append) return 0;
    const size = (await patiently(clock, signal, () => backend.stat(path, { signal })))?.size ?? 0;
    return size <= source.size ? size : 0;
  };
  let at = resume ? await there() : 0;
  for (let tries = 1; ; tries += 1) {
    const before = at;
    try {
      const delivery = { from, source, to, stream, path, at, held, exclusive: exclusive === true };
      const stored = await deliverFrom(tools, delivery);
      if (from.backend.scheme === 'local') await stream.requireUnchanged();
      return stored;
    } catch (error) {
      signal.throwIfAborted();
      if (stream.failure) throw stream.failure;
      const wait = waitBefore(error, tries);
      if (wait === undefined) throw error;
      await clock.sleep(wait, signal);
      at = await there();
      if (at > before) tries = 0;
    }
  }
}

interface Delivery extends SeenJob {
  readonly stream: SourceStream;
  readonly path: string;
  readonly at: number;
  readonly exclusive: boolean;
  readonly held: NotedUpload | undefined;
}

async function deliverFrom(tools: TransferTools, delivery: Delivery): Promise<Stored> {
  const { source, to, from, stream, path, at, exclusive, held } = delivery;
  const { digests, transfer } = tools;
  const { signal } = transfer;
  const open = (backend: Backend) =>
    backend.can.digest !== undefined && digests.names.includes(backend.can.digest)
      ? digests.open(backend.can.digest)
      : undefined;
  const [sent, read] = [open(to.backend), source.digest === undefined ? undefined : open(from.backend)];
  const both = {
    update: (piece: Uint8Array) => {
      sent?.update(piece);
      read?.update(piece);
    },
    hex: () => '',
  };
  if (at > 0 && (sent ?? read)) for await (const piece of prefix(tools, from, at)) both.update(piece);
  const body = stream.bytes(at, both, () => {
    if (read) compare(source.digest, read.hex(), { ...from, algorithm: from.backend.can.digest ?? '' });
  });
  const { mtime_ms } = source;
  const stored = await to.backend.write(
    path,
    {
      size: source.size,
      body,
      from: at,
      ...(exclusive && { exclusive }),
      ...(mtime_ms !== undefined && { mtime_ms }),
      ...(held && { kept: held.of(stream) }),
      ...(at === 0 && !sent && !read && shortcuts(tools, delivery)),
    },
    { signal },
  );
  const said: Stored =
    stored.size === undefined && to.backend.can.rename ? ((await to.backend.stat(path, { signal })) ?? {}) : stored;
  const about = { place: to.backend.place, path: to.path };
  if ((said.size ?? (to.backend.can.rename ? 0 : source.size)) !== source.size)
    throw fail.storageSize({ ...about, actual: said.size ?? 0, expected: source.size });
  if (sent) compare(said.digest, sent.hex(), { ...to, algorithm: to.backend.can.digest ?? '' });
  return stored;
}

/** Ways for the bytes that do not lead through here: where nothing holds them up and nobody has to see them. */
function shortcuts(
  { pace, transfer: { signal } }: TransferTools,
  { from, to, stream }: Delivery,
): Pick<Content, 'near' | 'writeInto'> {
  const [source, target] = [from.backend, to.backend];
  if (pace) return {};
  const arrived = stream.passingBy();
  const { nearFile, readInto } = source;
  return {
    ...(nearFile && { near: { path: () => nearFile.call(source, from.path), sent: arrived } }),
    ...(readInto &&
      target.nearFile && { writeInto: (file: string) => readInto.call(source, from.path, file, { signal, arrived }) }),
  };
}

async function* prefix(tools: TransferTools, { backend, path }: Place, end: number): AsyncGenerator<Uint8Array, void> {
  const { signal } = tools.transfer;
  const reading = await backend.read(path, { signal });
  let left = end;
  try {
    for await (const piece of reading.body) {
      yield piece.subarray(0, left);
      left -= Math.min(left, piece.length);
      if (left === 0) return;
    }
  } finally {
    reading.close();
  }
}

function compare(
  said: string | undefined,
  actual: string,
  { backend, path, algorithm }: Place & { readonly algorithm: string },
): void {
  if (said === undefined || said === actual) return;
  throw fail.storageDigest({ place: backend.place, path, algorithm, actual: said, expected: actual });
}
