import { dirname, join, resolve } from 'node:path';

import type { Files } from '#schemas/types/host.ts';

/** Largest index that is read. */
const LARGEST = 256 * 1024 * 1024;

/**
 * The files that git tracks in the working tree around a folder, absolute; undefined where there is none, or its index
 * cannot be read. Reads the index (versions 2 to 4); no program is started.
 */
export async function trackedFiles(from: string, files: Files): Promise<ReadonlySet<string> | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await files.find(join(folder, '.git')).catch(() => undefined);
    if (found !== undefined) {
      const place = await gitFolder(join(folder, '.git'), found.kind, files);
      return place === undefined ? undefined : readIndex(join(place, 'index'), folder, files);
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** Folder of git. In a further working tree `.git` is a file that names it. */
async function gitFolder(path: string, kind: string, files: Files): Promise<string | undefined> {
  if (kind === 'directory') return path;
  const text = await files.readRegular(path, { limit: 4096 }).catch(() => undefined);
  const [, named] = /^gitdir: (.+)$/m.exec(new TextDecoder().decode(text)) ?? [];
  return named === undefined ? undefined : resolve(dirname(path), named.trim());
}

async function readIndex(path: string, folder: string, files: Files): Promise<ReadonlySet<string> | undefined> {
  try {
    const bytes = await files.readRegular(path, { limit: LARGEST });
    return new Set(namesIn(bytes).map((name) => join(folder, name)));
  } catch {
    return undefined;
  }
}

/** Offset of an entry's flags. */
const FLAGS = 60;
const EXTENDED = 0x4000;

/** The names of an index, each after 62 bytes of facts (`gitformat-index`). */
export function namesIn(bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(4);
  if (view.getUint32(0) !== 0x44495243 || version < 2 || version > 4) throw new TypeError('no index of git');
  const text = new TextDecoder();
  const names: string[] = [];
  let at = 12;
  let before = new Uint8Array();
  for (let count = view.getUint32(8); count > 0; count -= 1) {
    const head = (view.getUint16(at + FLAGS) & EXTENDED) === 0 ? 62 : 64;
    let from = at + head;
    let kept = 0;
    if (version === 4) [kept, from] = readStripped(bytes, from, before.length);
    const end = bytes.indexOf(0, from);
    if (end < 0) throw new TypeError('an index that ends too early');
    const name = new Uint8Array([...before.subarray(0, kept), ...bytes.subarray(from, end)]);
    names.push(text.decode(name));
    before = name;
    // Up to version 3 entries are filled up to a multiple of eight bytes, with one zero at least.
    at = version === 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8;
  }
  return names;
}

/** Number of bytes of the name before that stay, and the offset at which the rest begins. */
function readStripped(bytes: Uint8Array, from: number, length: number): [kept: number, next: number] {
  let at = from;
  let byte = bytes[at++] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0) {
    byte = bytes[at++] ?? 0;
    value = ((value + 1) << 7) | (byte & 127);
  }
  return [Math.max(0, length - value), at];
}
