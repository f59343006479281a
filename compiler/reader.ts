import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { DEFAULT_LIMITS } from '#grammar/document/limits.ts';
import type { DirectoryEntry, Files, FileStat } from '#schemas/types/host.ts';

/** Reason why a file is not read: it lies outside of what may be read, or it is a pipe, a device or a socket. */
export type Refusal = 'outside' | 'special';

/** A file or folder that may not be read. */
export interface Refused {
  readonly kind: 'refused';
  readonly why: Refusal;
}

/** Finding at a path. `path` is absolute and without links. */
export type Found =
  | { readonly kind: 'file'; readonly path: string; readonly size: number }
  | { readonly kind: 'directory'; readonly path: string }
  | Refused;

/** Thrown for what may not be read. */
export class ReadRefused extends Error {
  readonly why: Refusal;

  constructor(why: Refusal) {
    super(why === 'outside' ? 'it lies outside of the project root' : 'it is no regular file');
    this.why = why;
  }
}

export interface ReaderOptions {
  /**
   * Folders (and files) below which everything may be read, absolute: the project root, and what `allow_outside` lists.
   */
  readonly roots: readonly string[] | 'anywhere';
  /** Most bytes of a file (64 MiB). */
  readonly limit?: number;
}

interface ReadOptions {
  /** Most bytes that are read. */
  readonly limit?: number;
  /** There may be more. */
  readonly head?: boolean;
  /** The first byte that is read. */
  readonly start?: number;
}

/**
 * File systems of the kernel: their files are not what they seem, and reading them may tell secrets or wait for ever.
 */
const kernels = ['/proc', '/dev', '/sys'];
/** Ordinary files in memory. */
const ordinary = '/dev/shm';

/**
 * Reads what a compilation looks at, and nothing else does: regular files of bounded size whose real path lies below
 * the project root or below what the configuration lists. Nothing outside is opened, not even to see what it is.
 */
export class Reader {
  readonly #files: Files;
  readonly #roots: readonly string[];
  readonly #anywhere: boolean;
  /** Most bytes of a file that is read. */
  readonly limit: number;
  #real: Promise<readonly string[]> | undefined;

  constructor(files: Files, { roots, limit = DEFAULT_LIMITS.bytes }: ReaderOptions) {
    this.#files = files;
    this.#anywhere = roots === 'anywhere';
    this.#roots = roots === 'anywhere' ? [] : roots;
    this.limit = limit;
  }

  /** A reader that may also read below another folder. */
  beside(root: string): Reader {
    return new Reader(this.#files, { roots: this.#anywhere ? 'anywhere' : [...this.#roots, root], limit: this.limit });
  }

  /** Looks up an absolute path, links followed; undefined where nothing is there. */
  async find(path: string): Promise<Found | undefined> {
    // Whether something stands outside is told to nobody either.
    if (!this.#anywhere && !isBelowAny(path, [...this.#roots, ...(await this.#realRoots())]))
      return { kind: 'refused', why: 'outside' };
    let found: FileStat | undefined;
    try {
      found = await this.#files.find(path);
    } catch {
      // A file that cannot be looked at cannot be read either: the read says why.
      return { kind: 'file', path, size: 0 };
    }
    if (found === undefined) return undefined;
    // A pipe behind a link of the kernel has no path.
    const real = await this.#files.realPath(path).catch(() => undefined);
    if (real === undefined || isOfKernel(real)) return { kind: 'refused', why: 'special' };
    if (!(this.#anywhere || isBelowAny(real, await this.#realRoots()))) return { kind: 'refused', why: 'outside' };
    if (found.kind === 'directory') return { kind: 'directory', path: real };
    return found.kind === 'file' ? { kind: 'file', path: real, size: found.size } : { kind: 'refused', why: 'special' };
  }

  /** Whole content. Fails with `ReadRefused`, with the code EFBIG for what is too large, and as the system does. */
  async read(path: string, { limit = this.limit, head = false, start = 0 }: ReadOptions = {}): Promise<Uint8Array> {
    const found = await this.find(path);
    if (found?.kind === 'refused') throw new ReadRefused(found.why);
    try {
      return await this.#files.readRegular(found?.path ?? path, { limit, head, start });
    } catch (error) {
      // It has become another since it was looked at.
      if (error instanceof Error && 'code' in error && (error.code === 'ENOTREG' || error.code === 'ELOOP'))
        throw new ReadRefused('special');
      throw error;
    }
  }

  /** The content in pieces of at most `piece` bytes (1 MiB), up to `end`; fails as `read` does. */
  async *pieces(
    path: string,
    { end = Infinity, piece = 1024 * 1024 }: { readonly end?: number; readonly piece?: number } = {},
  ): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < end;) {
      const bytes = await this.read(path, { limit: Math.min(piece, end - start), head: true, start });
      if (bytes.length === 0) return;
      yield bytes;
      start += bytes.length;
    }
  }

  /** The entries of a folder; none where it may not be read. */
  async list(path: string): Promise<readonly DirectoryEntry[]> {
    const found = await this.find(path);
    return found?.kind === 'directory' ? this.#files.list(found.path) : [];
  }

  #realRoots(): Promise<readonly string[]> {
    return (this.#real ??= Promise.all(this.#roots.map((root) => this.#files.realPath(root).catch(() => root))));
  }
}

/** Whether a path is a folder, or lies below it. Both are absolute. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

function isBelowAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isBelow(path, folder));
}

function isOfKernel(path: string): boolean {
  return sep === '/' && kernels.some((kernel) => isBelow(path, kernel)) && !isBelow(path, ordinary);
}

/** Names of a configuration, in the order in which they are looked for. */
export const CONFIGURATIONS: readonly string[] = ['svc.config.yaml', 'svc.config.json'];

/** Entries of a folder that make it the root of a project. */
export const ROOT_MARKS: readonly string[] = [...CONFIGURATIONS, '.git'];

/**
 * The project root of an action file: the nearest marked folder upwards, else the file's own; of standard input from
 * the working directory.
 */
export async function projectRoot(
  file: string,
  { files, cwd }: { readonly files: Pick<Files, 'find'>; readonly cwd: string },
): Promise<string> {
  const own = file === '<stdin>' ? cwd : dirname(resolve(cwd, file));
  return (await markedFolder(own, files)) ?? own;
}

/** The nearest folder upwards that holds a configuration or `.git`; undefined where none does. */
export async function markedFolder(
  from: string,
  files: Pick<Files, 'find'>,
  marks: readonly string[] = ROOT_MARKS,
): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    for (const mark of marks) if ((await files.find(join(folder, mark))) !== undefined) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
