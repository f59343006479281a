import type { FileStat } from '#schemas/types/host.ts';

import { systemError } from '../node/system-error.ts';

export interface Leaf {
  readonly kind: 'file';
  bytes: Uint8Array;
}
export interface Folder {
  readonly kind: 'directory';
  readonly entries: Map<string, Item>;
}
export interface Link {
  readonly kind: 'symlink';
  readonly target: string;
}
export type Item = (Leaf | Folder | Link) & {
  readonly ino: number;
  mode: number;
  mtime: number;
  atime: number;
  readonly birth: number;
};

const LINKS = 40;

/** A POSIX file tree in memory. Paths are absolute or start at `cwd`. */
export class Tree {
  readonly #cwd: string;
  readonly #now: () => number;
  #ino = 1;
  readonly #root: Item;

  constructor(cwd: string, now: () => number) {
    this.#cwd = cwd;
    this.#now = now;
    this.#root = this.#make({ kind: 'directory', entries: new Map() }, 0o755);
    this.makeFolder(cwd, true);
  }

  #make(content: Leaf | Folder | Link, mode: number): Item {
    const now = this.#now();
    return { ...content, ino: this.#ino++, mode, mtime: now, atime: now, birth: now };
  }

  #pieces(path: string): string[] {
    const pieces: string[] = [];
    for (const piece of (path.startsWith('/') ? path : `${this.#cwd}/${path}`).split('/')) {
      if (piece === '..') pieces.pop();
      else if (piece !== '' && piece !== '.') pieces.push(piece);
    }
    return pieces;
  }

  /** Item at a path; its last link is followed where `follow` is given. */
  find(path: string, follow: boolean, left = LINKS): Item | undefined {
    const pieces = this.#pieces(path);
    let here: Item = this.#root;
    for (const [index, piece] of pieces.entries()) {
      if (here.kind !== 'directory') throw systemError('ENOTDIR', 'not a directory', path);
      const next = here.entries.get(piece);
      if (!next) return undefined;
      if (next.kind !== 'symlink' || (index === pieces.length - 1 && !follow)) here = next;
      else {
        if (left === 0) throw systemError('ELOOP', 'too many symbolic links encountered', path);
        const target: Item | undefined = this.find(this.#beside(pieces.slice(0, index), next.target), true, left - 1);
        if (!target) return undefined;
        here = target;
      }
    }
    return here;
  }

  #beside(folder: readonly string[], target: string): string {
    return target.startsWith('/') ? target : `/${folder.join('/')}/${target}`;
  }

  get(path: string, follow = true): Item {
    const item = this.find(path, follow);
    if (!item) throw systemError('ENOENT', 'no such file or directory', path);
    return item;
  }

  folder(path: string): Folder {
    const item = this.get(path);
    if (item.kind !== 'directory') throw systemError('ENOTDIR', 'not a directory', path);
    return item;
  }

  file(path: string): Leaf & Item {
    const item = this.get(path);
    if (item.kind === 'directory') throw systemError('EISDIR', 'illegal operation on a directory', path);
    if (item.kind !== 'file') throw systemError('EINVAL', 'not a file', path);
    return item;
  }

  parent(path: string): { readonly entries: Map<string, Item>; readonly name: string } {
    const pieces = this.#pieces(path);
    const name = pieces.pop();
    if (name === undefined) throw systemError('EBUSY', 'resource busy', path);
    return { entries: this.folder(`/${pieces.join('/')}`).entries, name };
  }

  makeFolder(path: string, recursive: boolean): void {
    const pieces = this.#pieces(path);
    const there = this.find(path, true);
    if (there) {
      if (recursive && there.kind === 'directory') return;
      throw systemError('EEXIST', 'file already exists', path);
    }
    if (recursive && pieces.length > 1) this.makeFolder(`/${pieces.slice(0, -1).join('/')}`, true);
    const { entries, name } = this.parent(path);
    entries.set(name, this.#make({ kind: 'directory', entries: new Map() }, 0o755));
  }

  put(path: string, bytes: Uint8Array, mode: number | undefined): void {
    const there = this.find(path, true);
    if (there?.kind === 'directory') throw systemError('EISDIR', 'illegal operation on a directory', path);
    const last = this.find(path, false);
    if (last?.kind === 'symlink')
      return this.put(this.#beside(this.#pieces(path).slice(0, -1), last.target), bytes, mode);
    const { entries, name } = this.parent(path);
    entries.set(name, this.#make({ kind: 'file', bytes }, mode ?? (there ? there.mode : 0o644)));
  }

  link(target: string, path: string): void {
    const { entries, name } = this.parent(path);
    if (entries.has(name)) throw systemError('EEXIST', 'file already exists', path);
    entries.set(name, this.#make({ kind: 'symlink', target }, 0o777));
  }

  linkAgain(existing: string, path: string): void {
    const item = this.file(existing);
    const { entries, name } = this.parent(path);
    if (entries.has(name)) throw systemError('EEXIST', 'file already exists', path);
    entries.set(name, item);
  }

  move(from: string, to: string): void {
    const item = this.get(from, false);
    const source = this.parent(from);
    const target = this.parent(to);
    const there = target.entries.get(target.name);
    if (there?.kind === 'directory' && item.kind !== 'directory')
      throw systemError('EISDIR', 'illegal operation on a directory', to);
    if (there?.kind === 'directory' && there.entries.size > 0)
      throw systemError('ENOTEMPTY', 'directory not empty', to);
    source.entries.delete(source.name);
    target.entries.set(target.name, item);
  }

  realPath(path: string, left = LINKS): string {
    const pieces = this.#pieces(path);
    this.get(path);
    let here = '';
    for (const piece of pieces) {
      const next = `${here}/${piece}`;
      const item = this.get(next, false);
      if (left === 0) throw systemError('ELOOP', 'too many symbolic links encountered', path);
      here = item.kind === 'symlink' ? this.realPath(this.#beside(this.#pieces(here), item.target), left - 1) : next;
    }
    return here === '' ? '/' : here;
  }

  stat(item: Item): FileStat {
    const size = item.kind === 'file' ? item.bytes.length : item.kind === 'symlink' ? item.target.length : 4096;
    const type = { file: 0o100000, directory: 0o040000, symlink: 0o120000 }[item.kind];
    return {
      kind: item.kind,
      size,
      mode: type | item.mode,
      mtime_ms: item.mtime,
      atime_ms: item.atime,
      birthtime_ms: item.birth,
      dev: 1,
      ino: item.ino,
      nlink: 1,
    };
  }
}
