/**
 * The only doors of a run to files, network, processes, clock, chance and environment. `runtime/hosts/node.ts` is the real
 * one; `runtime/hosts/memory.ts` is a fast double for tests.
 */
export interface Host {
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  readonly processes: Processes;
  /** The process environment as it was at the start. Never written. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Runs a regular expression that may be harmful: throws after `ms` milliseconds. Null: no match. */
  match(pattern: string, flags: string, text: string, ms: number): RegExpMatch | null;
  /** The next matches from a place on, at most `limit` of them, under one time limit. */
  matchMany(pattern: string, flags: string, text: string, options: { readonly from: number; readonly limit: number; readonly ms: number }): readonly RegExpMatch[];
  /** A streaming digest by its OpenSSL name, of `length` bytes where the function has no length of its own; undefined where the platform has none of that name. */
  digest(algorithm: string, length?: number): Digest | undefined;
  /** Names that `digest` knows, sorted. */
  readonly digests: readonly string[];
  /** Reads the text of a `.env` file: quotes, `export`, comments, values over many lines; `${}` stays text. */
  parseEnv(text: string): Readonly<Record<string, string>>;
}

export interface RegExpMatch {
  readonly index: number;
  readonly groups: readonly (string | undefined)[];
}

export interface Digest {
  update(chunk: Uint8Array): void;
  /** Lower-case hex. */
  hex(): string;
}

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Milliseconds, never going back. */
  monotonic(): number;
  /** Minutes that local time is ahead of UTC at that moment. */
  offset(at: number): number;
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`; the function it yields cancels. Does not keep the process alive where `background` is given. */
  timer(ms: number, callback: () => void, options?: { readonly background?: boolean }): () => void;
}

export interface Random {
  /** 0 <= x < 1. */
  number(): number;
  /** 32 lower-case hex digits, version 4. */
  uuid(): string;
  bytes(count: number): Uint8Array;
}

export interface FileStat {
  readonly kind: 'file' | 'directory' | 'symlink' | 'fifo' | 'socket' | 'device';
  readonly size: number;
  readonly mode: number;
  /** Milliseconds since 1970, with fractions. */
  readonly mtime_ms: number;
  readonly atime_ms: number;
  readonly birthtime_ms: number;
  readonly dev: number;
  readonly ino: number;
  readonly nlink: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileStat['kind'];
}

/**
 * Paths are absolute or relative to the working directory. Failing calls throw an Error with `code` (ENOENT, EACCES …) and
 * `path`. Every write of whole content is atomic: a temporary file in the same folder, then rename. What was there keeps its
 * permission bits unless `mode` is given, and a symbolic link stays one: the file that it names is replaced.
 * A name on a POSIX disk that is not UTF-8 is text in which each byte that does not fit stands as U+DC00 + byte, both
 * ways, so that such files can be listed, copied and removed like any other.
 */
export interface Files {
  stat(path: string): Promise<FileStat>;
  lstat(path: string): Promise<FileStat>;
  /** Undefined where nothing is there (ENOENT, ENOTDIR). Links are followed. */
  find(path: string): Promise<FileStat | undefined>;
  read(path: string): Promise<Uint8Array>;
  /** For reading at any place. Close it on every path. */
  open(path: string): Promise<OpenFile>;
  /** Chunks may share one buffer: use each before asking for the next. `end` is the first byte that is not read; `chunk` bytes at most at once (64 KiB). */
  stream(path: string, options?: { readonly start?: number; readonly end?: number; readonly chunk?: number; readonly signal?: AbortSignal }): AsyncIterable<Uint8Array>;
  write(path: string, content: Uint8Array | string, options?: WriteOptions): Promise<void>;
  /** Atomic too: the target changes when the source has ended. */
  writeStream(path: string, content: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<void>;
  append(path: string, content: Uint8Array | string): Promise<void>;
  list(path: string): Promise<readonly DirectoryEntry[]>;
  makeDirectory(path: string, options?: { readonly recursive?: boolean }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  copy(from: string, to: string, options?: { readonly metadata?: boolean; readonly signal?: AbortSignal }): Promise<void>;
  /** One file, link or empty folder. */
  remove(path: string): Promise<void>;
  /** A folder with all that is in it; links are removed, never followed. */
  removeTree(path: string): Promise<void>;
  readLink(path: string): Promise<string>;
  link(target: string, path: string): Promise<void>;
  setTimes(path: string, atimeMs: number, mtimeMs: number): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  realPath(path: string): Promise<string>;
  /** A new folder that the run removes at its end. */
  temporaryDirectory(prefix: string): Promise<string>;
}

export interface OpenFile {
  readonly size: number;
  /** Fewer bytes only at the end of the file. */
  readAt(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /** Flush to the disk before renaming, and the folder after. */
  readonly durable?: boolean;
  readonly mode?: number;
  /** Make missing parent folders. */
  readonly parents?: boolean;
  /** Fail with EEXIST when the target is there. */
  readonly exclusive?: boolean;
  readonly signal?: AbortSignal;
}

export interface Processes {
  /** Never through a shell. */
  run(file: string, args: readonly string[], options: ProcessOptions): Promise<ProcessResult>;
}

export interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Uint8Array | string;
  readonly timeout_ms?: number;
  /** Bytes kept of each stream. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface ProcessResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly timed_out: boolean;
}
