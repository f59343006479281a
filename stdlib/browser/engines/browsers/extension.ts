import { isAbsolute, join } from 'node:path';

import { extensionUnusable } from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

/** A browser extension on the disk: a packed file travels to the driver as text, a folder by its path. */
export type Extension =
  | { readonly kind: 'packed'; readonly path: string; readonly base64: string }
  | { readonly kind: 'folder'; readonly path: string };

/** First bytes of packed extensions: of those that Chromium packs, and of ZIP archives. */
const beginnings = ['Cr24', 'PK\u0003\u0004'];

/** Fails for what is neither a packed extension nor a folder with a manifest. */
export async function readExtension(
  host: Host,
  path: string,
  endings: readonly string[] = ['.crx'],
): Promise<Extension> {
  const absolute = isAbsolute(path) ? path : join(host.cwd, path);
  const stat = await host.files.find(absolute);
  if (!stat) throw extensionUnusable({ path, reason: 'there is nothing at that place' });
  if (stat.kind === 'directory') return readFolder(host, path, absolute);
  if (!endings.some((ending) => absolute.toLowerCase().endsWith(ending))) {
    throw extensionUnusable({ path, reason: `a packed extension ends in ${endings.join(' or ')}` });
  }
  const bytes = Buffer.from(await host.files.read(absolute));
  if (!beginnings.some((mark) => bytes.subarray(0, mark.length).toString('latin1') === mark))
    throw extensionUnusable({ path, reason: 'the file holds none, whatever its name says' });
  return { kind: 'packed', path: absolute, base64: bytes.toString('base64') };
}

/** The same, for engines that load folders only. */
export async function readExtensionFolder(host: Host, path: string): Promise<string> {
  const extension = await readExtension(host, path);
  if (extension.kind === 'folder') return extension.path;
  throw extensionUnusable({ path, reason: 'the second engine loads unpacked extensions, which are folders' });
}

async function readFolder(host: Host, path: string, absolute: string): Promise<Extension> {
  const manifest = await host.files.find(join(absolute, 'manifest.json'));
  if (manifest?.kind !== 'file') throw extensionUnusable({ path, reason: 'the folder holds no manifest.json' });
  return { kind: 'folder', path: absolute };
}
