import { relative, sep } from 'node:path';

import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { digestFile, type DigestTools } from '#stdlib/files/digest-file.ts';
import type { DigestName } from '#stdlib/files/digest-name.ts';
import { isWithin, realPathOf } from '#stdlib/files/real-path.ts';
import { walk, type Found, type WalkOptions } from '#stdlib/files/walk.ts';

/** Facts about one file in a manifest. Those of a link are about the text of its target: size and checksum. */
export interface Entry {
  readonly size: number;
  readonly checksum: string;
  readonly link?: string;
}

export interface Tree {
  readonly root: string;
  /** The manifest's own path, which is left out where it lies in the tree. */
  readonly manifest: string;
  readonly digest: DigestName;
}

export type ManifestTools = DigestTools & Pick<Base, 'folders'>;

/**
 * The files and links of a tree by name, in sorted order. Fails for a pipe, a socket or a device: it has no content to
 * speak of.
 */
export async function recordTree(tools: ManifestTools, tree: Tree): Promise<Record<string, Entry>> {
  const entries: [string, Entry][] = [];
  for await (const found of filesOf(tools, tree)) {
    if (found.kind !== 'file' && found.kind !== 'symlink') throw fail.specialFile({ path: found.path });
    const { size } = await tools.files.lstat(found.path);
    entries.push([
      found.name,
      found.kind === 'symlink'
        ? await linkEntry(tools, found, tree.digest)
        : { size, checksum: await digestFile(tools, found.path, tree.digest) },
    ]);
  }
  return Object.fromEntries(entries);
}

/** Files and links of a tree, less the manifest. `skipsUnreadable`: folders that cannot be read count as empty. */
export async function* filesOf(
  { files, folders, signal }: ManifestTools,
  { root, manifest }: Tree,
  options: Pick<WalkOptions, 'skipsUnreadable'> = {},
): AsyncGenerator<Found> {
  const base = await files.realPath(root);
  const itself = await realPathOf(files, folders.cwd, manifest);
  const own = isWithin(base, itself) ? relative(base, itself).split(sep).join('/') : undefined;
  for await (const found of walk(files, root, { ...options, signal }))
    if (found.kind !== 'directory' && found.name !== own) yield found;
}

export async function linkEntry(
  { files, digests }: DigestTools,
  { path }: Found,
  { openssl }: DigestName,
): Promise<Entry> {
  const link = await files.readLink(path);
  const bytes = new TextEncoder().encode(link);
  const digest = digests.open(openssl);
  digest.update(bytes);
  return { size: bytes.length, checksum: digest.hex(), link };
}
