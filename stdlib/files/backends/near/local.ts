import { dirname, join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files, FileStat, WriteOptions } from '#schemas/types/host.ts';
import { gathered } from '#stdlib/files/gathered.ts';
import { entryAt } from '#stdlib/files/kind.ts';
import { isWithin, realPathOf } from '#stdlib/files/real-path.ts';
import { byName } from '#stdlib/files/walk.ts';

import type { Backend, Content, Entry, ListOptions, Reading, Stored } from '../backend.ts';
import { nameOf } from '../remote-path.ts';

/** Bytes that are read at a time: two such pieces are held. */
const PIECE = 256 * 1024;

export interface LocalOptions {
  readonly cwd: string;
  /** Content has reached the disk when a write ends. */
  readonly durable?: boolean;
  /**
   * Files grow under a temporary name that a later call may go on with; else each is written by the host, which leaves
   * nothing behind, keeps permission bits and follows a link at the end of the path.
   */
  readonly resumable?: boolean;
  /** Links are listed as what they are, and a file that is written takes the place of one. */
  readonly ownLinks?: boolean;
}

/** Files of this machine. Links within a folder that is listed are followed where they lead to a file in it. */
export function localBackend(files: Files, options: LocalOptions): Backend {
  const resumable = options.resumable === true;
  const backend: Backend = {
    scheme: 'local',
    place: 'this machine',
    can: {
      folders: true,
      rename: resumable,
      ranges: true,
      append: resumable,
      times: 1,
      exclusive: !resumable,
      tellsAbsent: true,
    },
    stat: async (path) => {
      const stat = await files.find(path);
      return stat && entryOf(path, stat);
    },
    list: (path, wanted) => list(files, options, path, wanted),
    read: (path, { signal, from = 0 }) => read(files, path, from, signal),
    write: (path, content, { signal }) => write(files, path, content, signal, options),
    remove: async (path) => {
      const stat = await files.lstat(path).catch(() => undefined);
      if (!stat) throw fail.storageNotFound({ place: backend.place, path });
      await files.remove(path);
    },
    makeFolder: (path) => files.makeDirectory(path, { recursive: true }),
    rename: async (from, to) => {
      const old = await files.find(to);
      if (old?.kind === 'directory') throw fail.isAFolder({ path: to });
      if (old) await files.setMode(from, old.mode & 0o7777);
      await files.rename(from, old ? await realPathOf(files, options.cwd, to) : to, {
        durable: options.durable === true,
      });
    },
    setTime: (path, ms) => files.setTimes(path, ms, ms),
    nearFile: (path) => realPathOf(files, options.cwd, path),
    close: async () => {},
  };
  return backend;
}

function entryOf(path: string, { kind, size, mtime_ms, ino }: FileStat): Entry {
  const what = kind === 'directory' ? 'folder' : kind === 'file' ? 'file' : 'other';
  return { path, name: nameOf(path), kind: what, mtime_ms, version: String(ino), ...(what === 'file' && { size }) };
}

async function* list(
  files: Files,
  { cwd, ownLinks }: LocalOptions,
  root: string,
  { signal, deep, enters = () => true }: ListOptions,
): AsyncGenerator<readonly Entry[], void> {
  const bare = root === '' ? '.' : root.length > 1 ? root.replace(/\/+$/, '') || '/' : root;
  if ((await files.stat(bare)).kind !== 'directory') throw fail.notAFolder({ path: root });
  const real = await realPathOf(files, cwd, bare);
  const waiting = [bare === '.' && root === '' ? '' : bare];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const page: Entry[] = [];
    for (const { name, stat } of [...(await files.survey(folder || '.', signal))].sort(byName)) {
      const path = folder === '' ? name : folder === '/' ? `/${name}` : `${folder}/${name}`;
      const entry = stat.kind === 'symlink' && !ownLinks ? await linked(files, cwd, real, path) : entryOf(path, stat);
      page.push(entry);
      if (deep && stat.kind === 'directory' && enters(path)) waiting.push(path);
    }
    yield page;
  }
}

/** Entry of a link that leads to a file within the folder; a link to anywhere else is neither file nor folder. */
async function linked(files: Files, cwd: string, root: string, path: string): Promise<Entry> {
  const real = await realPathOf(files, cwd, path).catch(() => undefined);
  const stat = real !== undefined && isWithin(root, real) ? await files.find(path) : undefined;
  return stat?.kind === 'file' ? entryOf(path, stat) : { path, name: nameOf(path), kind: 'other' };
}

async function read(files: Files, path: string, from: number, signal: AbortSignal): Promise<Reading> {
  const stat = await files.stat(path);
  if (stat.kind === 'directory') throw fail.isAFolder({ path });
  if (stat.kind !== 'file') throw fail.specialFile({ path });
  const body = files.stream(path, { start: from, signal, chunk: PIECE, reuse: true });
  return { size: stat.size, body, close: () => {} };
}

async function write(
  files: Files,
  path: string,
  content: Content,
  signal: AbortSignal,
  options: LocalOptions,
): Promise<Stored> {
  const { body, from = 0, mtime_ms, size } = content;
  const { resumable = false, durable = false, ownLinks = false } = options;
  if (!resumable) {
    const { exclusive = false } = content;
    const there = ownLinks ? await entryAt(files, path) : await files.find(path);
    if (there?.kind === 'directory') throw fail.isAFolder({ path });
    const pieces = size > PIECE ? gathered(body) : body;
    if (there?.kind === 'symlink') await writeOverLink(files, path, pieces, { durable, signal });
    else if (!(await writeByProgram(files, path, there, content, options)))
      await files.writeStream(path, pieces, { parents: true, durable, exclusive, signal });
    if (mtime_ms !== undefined) await files.setTimes(path, mtime_ms, mtime_ms);
    return { size };
  }
  await files.makeDirectory(join(path, '..'), { recursive: true });
  if (from === 0) await files.write(path, '');
  // Piece by piece: a later call goes on with what came before the process was killed.
  for await (const piece of body) {
    signal.throwIfAborted();
    await files.append(path, piece);
  }
  return {};
}

/** The host would write the file that the link names. */
async function writeOverLink(
  files: Files,
  path: string,
  content: AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<void> {
  const part = files.temporaryBeside(path);
  try {
    await files.writeStream(part, content, options);
    await files.rename(part, path, { durable: options.durable === true });
  } finally {
    if (await files.find(part)) await files.remove(part);
  }
}

/** False: there is no program that writes the file, or none that can; nothing has changed. */
async function writeByProgram(
  files: Files,
  path: string,
  there: FileStat | undefined,
  content: Content,
  { cwd, durable = false }: LocalOptions,
): Promise<boolean> {
  // A file that must not be there yet is a matter for one call of the host.
  if (!content.writeInto || content.exclusive || (there && there.kind !== 'file')) return false;
  const target = await realPathOf(files, cwd, path);
  const part = files.temporaryBeside(target);
  await files.makeDirectory(dirname(target), { recursive: true });
  try {
    await files.write(part, '', there && { mode: there.mode & 0o7777 });
    if (!(await content.writeInto(part))) return false;
    await files.rename(part, target, { durable });
    return true;
  } finally {
    if (await files.find(part)) await files.remove(part);
  }
}
