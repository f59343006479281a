import { basename, dirname, join } from 'node:path';

import type { Base } from '#runtime/kernel/ports.ts';
import type { Files } from '#schemas/types/host.ts';

export interface Cut {
  readonly path: string;
  /** The path of the parts without their numbers. */
  readonly base: string;
  readonly size: number;
  readonly chunkSize: number;
}

/**
 * Writes the parts of a file and yields their paths. The numbers have three digits, or as many as the last one needs.
 */
export async function writeParts(
  { files, durable, signal }: Pick<Base, 'durable' | 'signal'> & { readonly files: Files },
  { path, base, size, chunkSize }: Cut,
): Promise<string[]> {
  const count = Math.ceil(size / chunkSize);
  const digits = Math.max(3, String(count - 1).length);
  const parts = Array.from({ length: count }, (_, index) => `${base}.part${String(index).padStart(digits, '0')}`);
  for (const [index, part] of parts.entries()) {
    const start = index * chunkSize;
    await files.writeStream(part, files.stream(path, { start, end: start + chunkSize, chunk: 1 << 20, signal }), {
      durable,
      signal,
    });
  }
  return parts;
}

/**
 * Removes what an earlier split of the same file left, so that a pattern over the parts finds those of this one only.
 */
export async function removeOldParts(files: Files, base: string, parts: readonly string[]): Promise<void> {
  const folder = dirname(base);
  const stem = `${basename(base)}.part`;
  const kept = new Set(parts.map((part) => basename(part)));
  for (const { name, kind } of await files.list(folder)) {
    const isPart = name.startsWith(stem) && /^[0-9]{3,}$/.test(name.slice(stem.length));
    if (isPart && kind === 'file' && !kept.has(name)) await files.remove(join(folder, name));
  }
}
