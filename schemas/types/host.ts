/**
 * The only doors of a run to files, network, processes, clock, chance and environment. `runtime/hosts/node.ts` is the
 * real one; `runtime/hosts/memory.ts` is a fast double for tests.
 */
export interface Host {
  readonly platform: 'linux' | 'darwin' | 'win32' | 'other';
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  /**
   * Files as whoever runs the host reaches them, where `files` is bounded for callers: for what stands in the
   * configuration and in the home folder, never for a path that an action names.
   */
  readonly owner?: Files;
  readonly processes: Processes;
  /** The process environment as it was at the start. Never written. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Home folder of whoever runs this process, also where the environment does not name it; absent: there is none. */
  readonly home?: string;
  /** Runs a regular expression that may be harmful: throws after `ms` milliseconds. Null: no match. */
  match(pattern: string, flags: string, text: string, ms: number): RegExpMatch | null;
  /** The next matches from a place on, at most `limit` of them, under one time limit. */
  matchMany(
    pattern: string,
    flags: string,
    text: string,
    options: { readonly from: number; readonly limit: number; readonly ms: number },
  ): readonly RegExpMatch[];
  /**
   * All addresses of a name, IPv4 and IPv6, in the order in which the system would use them. Fails as the system does
   * (ENOTFOUND, EAI_AGAIN).
   */
  lookup(name: string): Promise<readonly string[]>;
  /**
   * A streaming digest by its OpenSSL name, of `length` bytes where the function has no length of its own; undefined
   * where the platform has none of that name.
   */
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
  /**
   * Calls back once after `ms`; the function it yields cancels. Does not keep the process alive where `background` is
   * given.
   */
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

/** An entry of a folder and what it is itself: a link is not followed. */
export interface SurveyedEntry {
  readonly name: string;
  readonly stat: FileStat;
}

/** One regular file for `copyMany`. */
export interface FileCopy {
  readonly from: string;
  readonly to: string;
  /** The source as it was seen last: what differs from it has changed. */
  readonly seen: FileStat;
  /**
   * Paths of both with links resolved. On Linux a copy is refused (ELOOP) where a folder on the way to either
   * leads elsewhere by now; nothing is left there.
   */
  readonly real?: { readonly from: string; readonly to: string };
}

/** Files of one size for `tellApart`. */
export interface SameSize {
  readonly size: number;
  readonly paths: readonly string[];
}

/**
 * The place of the first file of the group with the same bytes. `changed`: its size is another one by now, or it is no
 * regular file any more.
 */
export type Likeness = number | 'changed' | Error;

/** `changed`: the source was another each time that it was looked at, or is no regular file any more. */
export type CopyOutcome = 'copied' | 'changed' | Error;

/**
 * Paths are absolute or relative to the working directory. Failing calls throw an Error with `code` (ENOENT,
 * EACCES …) and `path`. Every write of whole content is atomic: a temporary file in the same folder, then
 * rename. The file that was there keeps its permission bits unless `mode` is given, and a symbolic link stays
 * one: the file that it names is replaced. A name on a POSIX disk that is not UTF-8 is text in which each byte
 * that does not fit stands as U+DC00 + byte, both ways, so that such files can be listed, copied and removed
 * like any other.
 */
export interface Files {
  stat(path: string): Promise<FileStat>;
  lstat(path: string): Promise<FileStat>;
  /** Undefined where nothing is there (ENOENT, ENOTDIR). Links are followed. */
  find(path: string): Promise<FileStat | undefined>;
  read(path: string): Promise<Uint8Array>;
  /**
   * Content of a regular file, at most `limit` bytes from `start` (0) on; with `head` there may be more. Never waits,
   * and follows no link at the end of the path. Fails with the code ENOTREG for what is no regular file, with EFBIG for
   * what is larger.
   */
  readRegular(
    path: string,
    options: { readonly limit: number; readonly head?: boolean; readonly start?: number },
  ): Promise<Uint8Array>;
  /** Opens a file for reading at any place. Close it on every path. */
  open(path: string): Promise<OpenFile>;
  /**
   * Reads a file in chunks. With `reuse` they share buffers: use each before asking for the next. `end` is the
   * first byte that is not read; `chunk` bytes at most at once (64 KiB).
   */
  stream(
    path: string,
    options?: {
      readonly start?: number;
      readonly end?: number;
      readonly chunk?: number;
      readonly reuse?: boolean;
      readonly signal?: AbortSignal;
    },
  ): AsyncIterable<Uint8Array>;
  /**
   * The digest of a file's content up to `end`, in lower-case hex, by its OpenSSL name; `chunk` bytes at most are read
   * at once (1 MiB). Large files are read in turns with the rest of the run, or beside it. Fails with the code ECHANGED
   * where the file is written to meanwhile.
   */
  digest(
    path: string,
    algorithm: string,
    options?: { readonly end?: number; readonly chunk?: number; readonly signal?: AbortSignal },
  ): Promise<string>;
  write(path: string, content: Uint8Array | string, options?: WriteOptions): Promise<void>;
  /** Atomic too: the target changes when the source has ended. */
  writeStream(path: string, content: AsyncIterable<Uint8Array>, options?: WriteOptions): Promise<void>;
  append(path: string, content: Uint8Array | string): Promise<void>;
  list(path: string): Promise<readonly DirectoryEntry[]>;
  /**
   * A folder's entries with what `lstat` says of each, at a small part of the cost of so many calls. Entries
   * that vanish meanwhile are left out.
   */
  survey(path: string, signal?: AbortSignal): Promise<readonly SurveyedEntry[]>;
  makeDirectory(path: string, options?: { readonly recursive?: boolean }): Promise<void>;
  /** `durable`: it survives a power cut once this resolves. */
  rename(from: string, to: string, options?: { readonly durable?: boolean }): Promise<void>;
  /**
   * Moves things of the same file system into a folder, which is made with those above it. `below` is the folder that
   * all this may not leave: where the system can hold folders by descriptors (Linux), no link that is put in the place
   * of one of them meanwhile is followed; such a call fails with ELOOP or ENOTDIR. The folder's own bits and times are
   * set afterwards.
   */
  moveInto(folder: string, entries: readonly MovedEntry[], options: MoveIntoOptions): Promise<void>;
  /** `onBytes` is told of each piece that was copied, of a small file once. */
  /**
   * Content and permission bits, with `metadata` the times too. Fails with the code ECHANGED where the source is
   * written to meanwhile.
   */
  copy(
    from: string,
    to: string,
    options?: {
      readonly metadata?: boolean;
      readonly signal?: AbortSignal;
      readonly onBytes?: (bytes: number) => void;
    },
  ): Promise<void>;
  /**
   * Copies regular files with permission bits and times, each whole or not at all; what stands at `to` is replaced
   * itself, also a link. Sparse files stay sparse. The outcomes stand in the order of the copies: a copy that fails
   * leaves its target as it was, and the others go on. `onBytes` is told of the size of each file that was copied.
   */
  copyMany(
    copies: readonly FileCopy[],
    options?: { readonly durable?: boolean; readonly signal?: AbortSignal; readonly onBytes?: (bytes: number) => void },
  ): Promise<readonly CopyOutcome[]>;
  /**
   * Tells regular files apart by their first bytes, up to `end` of them: those of one group have one size, and are all
   * held at once, so that groups are to be small. Says of each file which one of its group, by its place there, is the
   * first with the same bytes.
   */
  tellApart(
    groups: readonly SameSize[],
    options?: { readonly end?: number; readonly signal?: AbortSignal },
  ): Promise<readonly (readonly Likeness[])[]>;
  /** Whether two regular files hold the same bytes. */
  sameContent(one: string, other: string, signal?: AbortSignal): Promise<boolean>;
  /** One file, link or empty folder. */
  remove(path: string): Promise<void>;
  /** A folder with all that is in it; links are removed, never followed. */
  removeTree(path: string): Promise<void>;
  readLink(path: string): Promise<string>;
  /** A symbolic link at `path`. */
  link(target: string, path: string): Promise<void>;
  /** A second name for a file. Fails where the file system has no such thing. */
  hardLink(existing: string, path: string): Promise<void>;
  setTimes(path: string, atimeMs: number, mtimeMs: number): Promise<void>;
  setMode(path: string, mode: number): Promise<void>;
  realPath(path: string): Promise<string>;
  /**
   * A free path in the folder of `path` for a file, a link or a folder that will be renamed to it; nothing is made.
   * Whoever makes it removes it, and what a killed process left is removed by the next process that writes into that
   * folder.
   */
  temporaryBeside(path: string): string;
  /** Whether a name is one that writes of any process use while they go on. */
  isTemporary(name: string): boolean;
  /** Removes what processes that have ended left in a folder. Never fails. */
  sweep(folder: string): Promise<void>;
  /** A new folder that the run removes at its end. */
  temporaryDirectory(prefix: string): Promise<string>;
  /**
   * Removes folders of `temporaryDirectory` whose process has ended without removing them: those of this user, never a
   * living one's. Never fails.
   */
  sweepTemporary(): Promise<void>;
}

export interface OpenFile {
  readonly size: number;
  /** Fewer bytes only at the end of the file. */
  readAt(position: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Something that gets a name in a folder; what has it there is replaced, as by `rename`. */
export interface MovedEntry {
  readonly from: string;
  readonly name: string;
}

export interface MoveIntoOptions {
  readonly below: string;
  readonly mode?: number;
  readonly times?: { readonly atimeMs: number; readonly mtimeMs: number };
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

/**
 * The one place that starts programs. Never through a shell; a name means what the host's own PATH says, never the
 * working directory.
 */
export interface Processes {
  /**
   * Resolves when the program has ended and its output is closed. A path begins at `cwd`; a name is looked for as by
   * `find`.
   */
  run(file: string, args: readonly string[], options: ProcessOptions): Promise<ProcessResult>;
  /**
   * Starts a program that goes on, by its absolute path. It leads a group of its own, which ends with this process at
   * the latest, also where this process is killed without a warning; unless it `outlives` it.
   */
  start(file: string, args: readonly string[], options?: StartOptions): StartedProcess;
  /** Lets the group that a process leads end with this process; for a program that a library has started. */
  adopt(pid: number): AdoptedProcess;
  /**
   * Lets programs with this text among their arguments end with this process where it is killed before their numbers
   * are known: for what a library is about to start. The function that it yields ends that. Nothing without /proc.
   */
  expect(text: string): () => void;
  /**
   * Notes what the programs are that runs start by themselves (`schemas/types/known-programs.ts`) and those at `paths`,
   * before the first step: from then on no step changes what is found. A second call changes nothing. Yields what was
   * noted.
   */
  settle(paths: readonly string[], before?: SettledPrograms): SettledPrograms;
  /**
   * Absolute path of the first of these names that an absolute folder of PATH holds. Fails with ECHANGED where a step
   * has put another file there.
   */
  find(names: readonly string[]): string | undefined;
  /** False where the file at a path that was noted is another one by now. */
  isUnchanged(path: string): boolean;
  /**
   * The first file or folder, at a path or below it, that was written, put there or renamed since programs were noted;
   * undefined where none was. For a program that consists of many files.
   */
  changedBelow(path: string): string | undefined;
}

/** Result of the search for programs before the first step. */
export interface SettledPrograms {
  /** Time (ms since 1970) at which they were looked for. */
  readonly at: number;
  /** Paths by name; null: there was none. */
  readonly places: Readonly<Record<string, string | null>>;
  /** Identity of each file, by path: another one is another file or other content. */
  readonly marks: Readonly<Record<string, string>>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Written to it as it reads; where it is given, what the program writes is read from `streams` as well. */
  readonly input?: AsyncIterable<Uint8Array>;
  /**
   * It does not end with this process, nor keep it: its input, which is empty, ends when this process is gone. Nobody
   * reads what it writes.
   */
  readonly outlives?: boolean;
}

/** A program that goes on. */
export interface StartedProcess extends AdoptedProcess {
  /** Undefined where it could not be started. */
  readonly pid: number | undefined;
  /** Reason of its end; resolves in any case, never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Output of a program with `input`: it waits while nobody reads. Each stream is read once. */
  readonly streams?: { readonly output: AsyncIterable<Uint8Array>; readonly errors: AsyncIterable<Uint8Array> };
  /** Hears what it writes on both streams. */
  onOutput(listener: (chunk: Uint8Array) => void): void;
  /** Asks it alone to end. */
  ask(): void;
}

/** A program with all that it has started. */
export interface AdoptedProcess {
  /** Ends it with its group at once, also where it is stopped or hangs. */
  kill(): void;
  /** Tells that it has ended by itself: nothing is killed any more. */
  release(): void;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** Error of a process that could not be started. */
  readonly error?: Error;
}

export interface ProcessOptions {
  readonly cwd?: string;
  /** All of the environment; the one of this process where it is left out. */
  readonly env?: Readonly<Record<string, string>>;
  /** Nothing can be read where it is left out. */
  readonly input?: Uint8Array | string;
  /**
   * After it, as after an abort, the program is asked to end, and killed two seconds later, with all that it started.
   */
  readonly timeout_ms?: number;
  /** Bytes kept of each stream. */
  readonly limit?: number;
  /** `drop`: what the program writes goes nowhere. */
  readonly output?: 'keep' | 'drop';
  readonly signal?: AbortSignal;
}

export interface ProcessResult {
  readonly code: number | null;
  readonly signal: string | null;
  /** Number of `signal` on this system. */
  readonly signal_number?: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly timed_out: boolean;
}
