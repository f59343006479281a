import type { JsonObject } from '#schemas/types/json.ts';

/**
 * One kind of storage: what `local`, `memory`, `sftp`, `objstore` and the others have in common. Paths are texts in
 * which `/` separates folders and everything else is a letter; what a service needs encoded, its backend encodes.
 * Failures are those of `8-run-storage.md`: what passes (`transient`, or of the kinds `network` and `timeout`) may be
 * tried again by who asked.
 */
export interface Backend {
  /** Scheme as in addresses: `sftp`. */
  readonly scheme: string;
  /** Address for messages, without secrets: `sftp://user@host`. */
  readonly place: string;
  readonly can: Capabilities;
  /** Undefined where nothing is there. */
  stat(path: string, options: CallOptions): Promise<Entry | undefined>;
  /**
   * Lists a folder page by page, in the order of the service, without the folder itself. Fails where there is
   * no such folder; without `can.folders` that is nobody's to know, and nothing comes. `deep`: entries of the
   * folders below too.
   */
  list(path: string, options: ListOptions): AsyncIterable<readonly Entry[]>;
  /** The bytes from `from` (0) up to the end; others than 0 only with `can.ranges`. Fails where there is no file. */
  read(path: string, options: CallOptions & { readonly from?: number }): Promise<Reading>;
  /**
   * Puts a file there, in place of one that stands there. Folders above it must be there where the service has folders.
   * Without `can.rename` nobody ever sees half of it; with it, callers write to a temporary name. Yields what the
   * service says of what it has stored.
   */
  write(path: string, content: Content, options: CallOptions): Promise<Stored>;
  /** Path by which other programs of this machine read a file. Only where these are its files. */
  nearFile?(path: string): Promise<string>;
  /**
   * Writes all of a file into one of this machine that is there, by a program that does so faster than the bytes would
   * pass through here. False: not all of it is there; `read` does it, or tells what is wrong.
   */
  readInto?(path: string, nearFile: string, options: TellingOptions): Promise<boolean>;
  /**
   * One file, or an empty folder. Fails where a folder is not empty, and with `can.tellsAbsent` where nothing is there.
   */
  remove(path: string, options: CallOptions): Promise<void>;
  /** Makes a folder with those above it; one that is there is fine. Does nothing without `can.folders`. */
  makeFolder(path: string, options: CallOptions): Promise<void>;
  /** Replaces a file at `to` in one step. Only with `can.rename`. */
  rename?(from: string, to: string, options: CallOptions): Promise<void>;
  /** Only with `can.times`, for backends whose `write` does not keep `mtime_ms` by itself. */
  setTime?(path: string, mtimeMs: number, options: CallOptions): Promise<void>;
  /** Drops over there what an upload in parts has left, by its note. Only with `can.resumes`. */
  abandon?(path: string, note: JsonObject, options: CallOptions): Promise<void>;
  close(): Promise<void>;
}

/** Storage without folders: names are listed by how they begin. */
export interface PrefixBackend extends Backend {
  /** All files whose path begins with a text, folders or not. */
  startingWith(beginning: string, options: CallOptions): AsyncIterable<readonly Entry[]>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
}

export interface ListOptions extends CallOptions {
  readonly deep?: boolean | undefined;
  /**
   * Tells of the path of a folder below whether it is worth to be entered. Only a backend that asks for one folder
   * after the other heeds it.
   */
  readonly enters?: ((folder: string) => boolean) | undefined;
}

export interface TellingOptions extends CallOptions {
  /** Hears of the bytes that have come meanwhile. */
  readonly arrived: (bytes: number) => void;
}

/** Abilities of a backend. Callers ask; nothing is done differently in silence. */
export interface Capabilities {
  /** Folders are things of their own; else they are only what stands before a slash in names. */
  readonly folders: boolean;
  /** A file gets another name in one step, in place of one that had it. */
  readonly rename: boolean;
  /** Reading begins anywhere. */
  readonly ranges: boolean;
  /** Writing goes on at the end of what is there (`Content.from`). */
  readonly append: boolean;
  /** Modification times are kept, to so many milliseconds; false: the service sets its own. */
  readonly times: number | false;
  /** `Content.exclusive` holds also where two write at once. */
  readonly exclusive: boolean;
  /** Removing what is not there fails; else nobody can tell. */
  readonly tellsAbsent: boolean;
  /** Larger files (bytes) are sent in parts that a later call goes on with (`Content.kept`). Only without `rename`. */
  readonly resumes?: number;
  /** Algorithm of `Entry.digest` where the service tells one. */
  readonly digest?: string;
}

export interface Entry {
  /** Path from the top of the backend, as `stat` takes it. */
  readonly path: string;
  /** The last part of the path, or what the service shows instead. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
  /** Undefined where the service does not say it, as for folders. */
  readonly size?: number;
  readonly mtime_ms?: number;
  /** Lower-case hex, of the algorithm that `can.digest` names. */
  readonly digest?: string;
  /** Differs between versions of a file: an ETag, a revision. */
  readonly version?: string;
  /** Id by which the service itself names it. */
  readonly id?: string;
}

export interface Reading {
  /** Size (bytes) of the whole file, where the service says it. */
  readonly size?: number;
  /** Read it, or close it: the connection waits for either. A piece may be overwritten once the next is asked for. */
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

/** Facts about a written file, as far as the service tells them at once; with `mtime_ms` the time was kept. */
export type Stored = Partial<Pick<Entry, 'size' | 'digest' | 'version' | 'id' | 'mtime_ms'>>;

export interface Content {
  readonly size: number;
  /**
   * The bytes from `from` on; asked for once. A piece may be overwritten once the next is asked for, but for one that a
   * socket or a pipe takes before it has written it (`getDefaultHighWaterMark`).
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** The same bytes as a file of this machine, for a backend whose program reads it itself: faster than `body`. */
  readonly near?: NearSource;
  /** Writes the same bytes into a file of this machine, as `readInto` does: faster than `body`. */
  writeInto?(nearFile: string): Promise<boolean>;
  /** So many bytes are there already. Only with `can.append`. */
  readonly from?: number;
  /** Fails where something stands there. */
  readonly exclusive?: boolean;
  readonly mtime_ms?: number;
  /** Goes on with what an earlier call has noted, and notes its own way. Only with `can.resumes`. */
  readonly kept?: KeptUpload;
}

export interface NearSource {
  path(): Promise<string>;
  /** Hears of the bytes that were sent meanwhile. */
  sent(bytes: number): void;
}

/** Note about an upload in parts. The body begins at 0 all the same, so that digests are those of the whole. */
export interface KeptUpload {
  /** Note of the last call that got on with it; undefined: it begins. */
  readonly note: JsonObject | undefined;
  keep(note: JsonObject): Promise<void>;
  /** Nothing is left of it over there. */
  forget(): Promise<void>;
  /** So many bytes from the start on are there already: they are read, and not sent. */
  arrived(bytes: number): void;
}
