import { createCipheriv } from 'node:crypto';

import { nodeHost } from '#runtime/hosts/node.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Backend, Content, Entry } from '#stdlib/files/backends/backend.ts';
import type { TransferTools } from '#stdlib/files/backends/transfer/job.ts';

import type { CuttingProxy, ProxyReply } from '../../fixtures/cutting-proxy.ts';

/** Troubles that a service can be put into, as far as its protocol has them. */
export interface Troubles {
  /** Stands in front of the service. */
  readonly proxy?: CuttingProxy;
  /** Answers of services over HTTP; absent: the protocol is another one. */
  readonly replies?: {
    /** No room is left. */
    readonly full: ProxyReply;
    /** The login is over. */
    readonly expired: ProxyReply;
    /** The clock of the client is wrong, where the service asks for its time. */
    readonly skewed?: ProxyReply;
  };
  /** Folder of the service on a disk that holds a million bytes. */
  readonly small?: string;
  /** Makes the login worth nothing from now on; yields its return. */
  readonly expire?: () => Promise<() => Promise<void>>;
}

/** A running service of one kind. */
export interface StorageService extends AsyncDisposable, Troubles {
  readonly backend: Backend;
  /** A folder, or the beginning of names, that stands there and that nothing else uses. Without a slash at its end. */
  readonly top: string;
  /** Names that this service cannot hold, as it is documented. */
  readonly cannotHold?: (name: string) => boolean;
  /** Line breaks in names are letters like others. */
  readonly takesLines?: boolean;
  /**
   * Makes connections break off after so many bytes, one number for each connection to come; absent where nothing
   * stands between.
   */
  readonly cut?: (...bytes: readonly number[]) => void;
  /** Files of many gigabytes are kept on a disk, in little memory. */
  readonly takesLarge?: boolean;
  /** Puts empty files into a folder by another way, where one by one would take long. */
  readonly fill?: (folder: string, names: readonly string[]) => Promise<void>;
  /** Bytes from which on a file is sent in parts, where one of two parts and a rest is not. */
  readonly partsFrom?: number;
  /** An upload in parts cannot be given up there. */
  readonly keepsUploads?: boolean;
  /** Contents that several write at once under one name are mixed. */
  readonly mixesWriters?: boolean;
  /** Number of files that one page of a listing has at most; twice that and some are listed. */
  readonly pageSize?: number;
}

/** Bytes without a pattern, always the same of one size: the stream of a cipher. */
export const bytesOf = (size: number): Uint8Array => {
  const iv = Buffer.alloc(16);
  iv.writeUInt32BE(size);
  const { buffer, byteOffset, length } = createCipheriv('aes-128-ctr', Buffer.alloc(16), iv).update(
    new Uint8Array(size),
  );
  return new Uint8Array(buffer, byteOffset, length);
};

/** A body that comes in pieces. */
export async function* pieces(bytes: Uint8Array, size = 100_000): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** So many zeros, in one buffer that comes again and again, with a last word. */
export async function* zeros(size: number, last: Uint8Array): AsyncGenerator<Uint8Array, void> {
  const piece = new Uint8Array(1024 * 1024);
  for (let left = size - last.length; left > 0; left -= piece.length) yield piece.subarray(0, left);
  yield last;
}

export const content = (bytes: Uint8Array, more: Partial<Content> = {}): Content => ({
  size: bytes.length,
  body: pieces(bytes),
  ...more,
});

const signal = new AbortController().signal;

export async function put(backend: Backend, path: string, bytes: string | Uint8Array): Promise<void> {
  const held = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  await backend.write(path, content(held), { signal });
}

export async function readAll(backend: Backend, path: string, from = 0, given = signal): Promise<Uint8Array> {
  const reading = await backend.read(path, { signal: given, from });
  const held: Uint8Array[] = [];
  for await (const piece of reading.body) held.push(Buffer.from(piece));
  reading.close();
  const { buffer, byteOffset, length } = Buffer.concat(held);
  return new Uint8Array(buffer, byteOffset, length);
}

export async function listAll(backend: Backend, path: string, deep = false): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const page of backend.list(path, { signal, deep })) entries.push(...page);
  return entries;
}

/** The name of a failure, or `no failure`. */
export async function failureNamed(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'no failure',
    (reason: unknown) => reason,
  );
  return error instanceof Failure ? error.facts.name : String(error);
}

/** Notes of nothing, in a unit that does not end: removals that it is told of go on. */
export const noUploads: NonNullable<TransferTools['uploads']> = {
  take: () => Promise.resolve(undefined),
  mark: () => Promise.resolve(''),
  leavesPart: () => {},
  left: () => Promise.resolve({ uploads: [], parts: [] }),
};

/** Tools of transfers, outside of a run; `hurries`: what is waited for before another try takes a 25th of its time. */
export function tools(
  given: {
    readonly signal?: AbortSignal;
    readonly onBytes?: (bytes: number) => void;
    readonly hurries?: boolean;
  } & Pick<TransferTools, 'pace' | 'uploads'> = {},
): TransferTools {
  const host = nodeHost();
  const { clock } = host;
  const sleep: typeof clock.sleep = (ms, asked) => clock.sleep(ms / 25, asked);
  return {
    clock: given.hurries ? { ...clock, sleep } : clock,
    random: host.random,
    pace: given.pace,
    uploads: given.uploads,
    digests: {
      names: host.digests,
      open: (name) => {
        const digest = host.digest(name);
        if (!digest) throw new Error(`no digest ${name}`);
        return digest;
      },
    },
    transfer: {
      signal: given.signal ?? signal,
      update: (bytes) => given.onBytes?.(bytes),
      expect: () => {},
      failsAs: () => {},
    },
  };
}
