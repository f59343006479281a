import type { CopyOutcome, Files, FileStat, Likeness } from '#schemas/types/host.ts';

import { openDigest } from '../node/digest/digest.ts';
import { codeOf, systemError } from '../node/system-error.ts';
import { Tree } from './tree.ts';

/** Files that vanish with the object. Rights and owners are kept but not enforced. */
export function memoryFiles(cwd: string, now: () => number): Files {
  const tree = new Tree(cwd, now);
  const find = async (path: string): Promise<FileStat | undefined> => {
    try {
      const item = tree.find(path, true);
      return item && tree.stat(item);
    } catch (error) {
      if (codeOf(error) === 'ENOTDIR') return undefined;
      throw error;
    }
  };
  const write: Files['write'] = async (path, content, options = {}) => {
    options.signal?.throwIfAborted();
    if (options.exclusive && tree.find(path, false)) throw systemError('EEXIST', 'file already exists', path);
    if (options.parents) tree.makeFolder(path.replace(/[^/]*$/, '') || '.', true);
    tree.put(path, bytesOf(content), options.mode);
  };
  let temporary = 0;
  return {
    stat: async (path) => tree.stat(tree.get(path)),
    lstat: async (path) => tree.stat(tree.get(path, false)),
    find,
    read: async (path) => tree.file(path).bytes.slice(),
    readRegular: async (path, { limit, head = false, start = 0 }) => {
      const item = tree.get(path, false);
      if (item.kind === 'symlink') throw systemError('ELOOP', 'too many symbolic links encountered', path);
      if (item.kind !== 'file') throw systemError('ENOTREG', 'not a regular file', path);
      if (item.bytes.length - start > limit && !head) throw systemError('EFBIG', 'file too large', path);
      return item.bytes.slice(start, start + limit);
    },
    open: async (path) => {
      const { bytes } = tree.file(path);
      return {
        size: bytes.length,
        readAt: async (position, length) => bytes.slice(position, position + length),
        close: async () => undefined,
      };
    },
    stream: (path, options = {}) => stream(tree, path, options),
    digest: async (path, algorithm, { end } = {}) => {
      const digest = openDigest(algorithm);
      if (!digest) throw new Error(`there is no digest ${algorithm}`);
      digest.update(tree.file(path).bytes.subarray(0, end));
      return digest.hex();
    },
    write,
    writeStream: async (path, content, options) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(chunk.slice());
      await write(path, joined(chunks), options);
    },
    append: async (path, content) =>
      tree.put(
        path,
        joined([tree.find(path, true) ? tree.file(path).bytes : new Uint8Array(), bytesOf(content)]),
        undefined,
      ),
    list: async (path) => [...tree.folder(path).entries].map(([name, item]) => ({ name, kind: item.kind })),
    survey: async (path) => [...tree.folder(path).entries].map(([name, item]) => ({ name, stat: tree.stat(item) })),
    copyMany: async (copies, options) =>
      copies.map(({ from, to, seen }) => {
        const outcome = outcomeOf(() => copyInto(tree, from, to));
        if (outcome === 'copied') options?.onBytes?.(seen.size);
        return outcome;
      }),
    tellApart: async (groups, { end } = {}) => groups.map(({ size, paths }) => likenesses(tree, size, paths, end)),
    sameContent: async (one, other) => Buffer.from(tree.file(one).bytes).equals(tree.file(other).bytes),
    makeDirectory: async (path, options) => tree.makeFolder(path, options?.recursive ?? false),
    rename: async (from, to) => tree.move(from, to),
    moveInto: async (folder, entries, { mode, times }) => {
      tree.makeFolder(folder, true);
      for (const { from, name } of entries) tree.move(from, `${folder}/${name}`);
      if (mode !== undefined) Object.assign(tree.get(folder), { mode: mode & 0o7777 });
      if (times) Object.assign(tree.get(folder), { atime: times.atimeMs, mtime: times.mtimeMs });
    },
    copy: async (from, to, options) => {
      const source = tree.file(from);
      tree.put(to, source.bytes.slice(), source.mode);
      if (options?.metadata) Object.assign(tree.get(to), { mtime: source.mtime, atime: source.atime });
      options?.onBytes?.(source.bytes.length);
    },
    remove: async (path) => {
      const item = tree.get(path, false);
      if (item.kind === 'directory' && item.entries.size > 0)
        throw systemError('ENOTEMPTY', 'directory not empty', path);
      const { entries, name } = tree.parent(path);
      entries.delete(name);
    },
    removeTree: async (path) => {
      tree.get(path, false);
      const { entries, name } = tree.parent(path);
      entries.delete(name);
    },
    readLink: async (path) => {
      const item = tree.get(path, false);
      if (item.kind !== 'symlink') throw systemError('EINVAL', 'invalid argument', path);
      return item.target;
    },
    link: async (target, path) => tree.link(target, path),
    hardLink: async (existing, path) => tree.linkAgain(existing, path),
    setTimes: async (path, atimeMs, mtimeMs) => void Object.assign(tree.get(path), { atime: atimeMs, mtime: mtimeMs }),
    setMode: async (path, mode) => void Object.assign(tree.get(path), { mode: mode & 0o7777 }),
    realPath: async (path) => tree.realPath(path),
    temporaryBeside: (path) => path.replace(/[^/]*\/?$/, (name) => `.${name.replace(/\/$/, '')}.${++temporary}.tmp`),
    isTemporary: (name) => /^\..*\.\d+\.tmp$/s.test(name),
    sweep: async () => undefined,
    sweepTemporary: async () => undefined,
    temporaryDirectory: async (prefix) => {
      const path = `/tmp/${prefix}${++temporary}`;
      tree.makeFolder(path, true);
      return path;
    },
  };
}

function outcomeOf(copy: () => void): CopyOutcome {
  try {
    copy();
    return 'copied';
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

function likenesses(tree: Tree, size: number, paths: readonly string[], end: number | undefined): Likeness[] {
  const first = new Map<string, number>();
  return paths.map((path, index) => {
    try {
      const { bytes } = tree.file(path);
      if (bytes.length !== size) return 'changed';
      const key = Buffer.from(bytes.subarray(0, end)).toString('latin1');
      if (!first.has(key)) first.set(key, index);
      return first.get(key) ?? index;
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  });
}

/** Over what stands at the place itself, also a link. */
function copyInto(tree: Tree, from: string, to: string): void {
  const { bytes, mode, mtime, atime } = tree.file(from);
  const { entries, name } = tree.parent(to);
  if (entries.get(name)?.kind === 'directory') throw systemError('EISDIR', 'illegal operation on a directory', to);
  entries.delete(name);
  tree.put(to, bytes.slice(), mode);
  Object.assign(tree.get(to), { mtime, atime });
}

async function* stream(
  tree: Tree,
  path: string,
  options: { readonly start?: number; readonly end?: number; readonly signal?: AbortSignal },
): AsyncIterable<Uint8Array> {
  const bytes = tree.file(path).bytes.slice(options.start ?? 0, options.end);
  for (let at = 0; at < bytes.length; at += 65_536) {
    options.signal?.throwIfAborted();
    yield bytes.subarray(at, at + 65_536);
  }
}

function bytesOf(content: Uint8Array | string): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
