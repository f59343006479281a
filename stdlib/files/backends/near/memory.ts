import { createHash } from 'node:crypto';

import * as fail from '#schemas/generated/failures.ts';

import type { Backend, Content, Entry } from '../backend.ts';
import { folderOf, nameOf, requireInside } from '../remote-path.ts';

interface Stored {
  readonly bytes: Uint8Array;
  readonly mtime_ms: number;
}

/** Content of a memory backend; several may share it. */
export interface MemoryStore {
  readonly files: Map<string, Stored>;
  readonly folders: Set<string>;
}

/** Number of entries on one page of a listing. */
const PAGE = 1000;

export function memoryStore(): MemoryStore {
  return { files: new Map(), folders: new Set(['']) };
}

/** Files in the memory of the run: gone at its end. A leading slash means nothing. */
export function memoryBackend(store: MemoryStore, now: () => number): Backend {
  const place = 'the memory of this run';
  const key = (path: string): string => requireInside(path).split('/').filter(Boolean).join('/');
  const find = (path: string): Entry | undefined => {
    const name = key(path);
    const file = store.files.get(name);
    if (file) return entryOf(path, file);
    return store.folders.has(name) ? { path, name: nameOf(path), kind: 'folder' } : undefined;
  };
  return {
    scheme: 'memory',
    place,
    can: {
      folders: true,
      rename: false,
      ranges: true,
      append: false,
      times: 1,
      exclusive: true,
      tellsAbsent: true,
      digest: 'sha256',
    },
    stat: async (path) => find(path),
    list: (path, { deep }) => list(store, path, key(path), deep === true),
    read: async (path, { from = 0 }) => {
      const file = store.files.get(key(path));
      if (!file) throw find(path) ? fail.storageIsFolder({ place, path }) : fail.storageNotFound({ place, path });
      return { size: file.bytes.length, body: once(file.bytes.subarray(from)), close: () => {} };
    },
    write: async (path, content, { signal }) => {
      const name = key(path);
      if (store.folders.has(name)) throw fail.storageIsFolder({ place, path });
      if (!store.folders.has(folderOf(name))) throw fail.storageNotFound({ place, path: folderOf(path) });
      const bytes = await gathered(content, signal);
      if (content.exclusive && store.files.has(name)) throw fail.storageExists({ place, path });
      const file = { bytes, mtime_ms: content.mtime_ms ?? now() };
      store.files.set(name, file);
      const { size = 0, digest = '' } = entryOf(path, file);
      return { size, digest };
    },
    remove: async (path) => {
      const name = key(path);
      if (store.files.delete(name)) return;
      if (name === '' || !store.folders.has(name)) throw fail.storageNotFound({ place, path });
      if ([...store.files.keys(), ...store.folders].some((other) => other.startsWith(`${name}/`)))
        throw fail.storageFolderNotEmpty({ place, path });
      store.folders.delete(name);
    },
    makeFolder: async (path) => {
      const parts = key(path).split('/').filter(Boolean);
      for (const [index] of parts.entries()) {
        const folder = parts.slice(0, index + 1).join('/');
        if (store.files.has(folder)) throw fail.storageNotFolder({ place, path: folder });
        store.folders.add(folder);
      }
    },
    close: async () => {},
  };
}

function entryOf(path: string, { bytes, mtime_ms }: Stored): Entry {
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { path, name: nameOf(path), kind: 'file', size: bytes.length, mtime_ms, digest };
}

async function* list(
  { files, folders }: MemoryStore,
  path: string,
  folder: string,
  deep: boolean,
): AsyncGenerator<readonly Entry[], void> {
  const place = 'the memory of this run';
  if (files.has(folder)) throw fail.storageNotFolder({ place, path });
  if (!folders.has(folder)) throw fail.storageNotFound({ place, path });
  const start = folder === '' ? '' : `${folder}/`;
  const shown = path === '' || path.endsWith('/') ? path : `${path}/`;
  const inside = (name: string): boolean =>
    name !== folder && name.startsWith(start) && (deep || !name.slice(start.length).includes('/'));
  const entries = [
    ...[...folders].filter(inside).map((name): Entry => ({
      path: shown + name.slice(start.length),
      name: nameOf(name),
      kind: 'folder',
    })),
    ...[...files]
      .filter(([name]) => inside(name))
      .map(([name, file]) => entryOf(shown + name.slice(start.length), file)),
  ].sort((one, other) => (one.path < other.path ? -1 : 1));
  for (let at = 0; at < entries.length || at === 0; at += PAGE) yield entries.slice(at, at + PAGE);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (bytes.length > 0) yield bytes;
}

async function gathered({ body }: Content, signal: AbortSignal): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) {
    signal.throwIfAborted();
    pieces.push(Uint8Array.from(piece));
  }
  return new Uint8Array(Buffer.concat(pieces));
}
