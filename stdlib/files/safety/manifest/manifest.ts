import { resolve } from 'node:path';

import { commandRaising } from '#stdlib/command.ts';
import { digestNamed } from '#stdlib/files/digest-name.ts';
import { isElsewhere } from '#grammar/storage-uri/is-elsewhere.ts';
import { scanStorageUri } from '#grammar/storage-uri/scan.ts';
import { kindOf } from '#grammar/storage-uri/schemes.ts';
import { requireFolder } from '#stdlib/files/kind.ts';

import { compareTree } from './compare-tree.ts';
import { readManifest } from './read-manifest.ts';
import { recordTree } from './record-tree.ts';
import { compareElsewhere, recordElsewhere } from './stored-manifest.ts';

const command = commandRaising('ManifestException', [
  'BackendNotReadyException',
  'DirNotExistsException',
  'FileNotExistsException',
  'UrlValidationException',
]);

export const FA_write_manifest = command('FA_write_manifest', async ({ root, manifest_path, algorithm }, ctx) => {
  const digest = digestNamed(algorithm);
  const here = pathHere(root);
  if (here !== undefined) await requireFolder(ctx.files, here);
  const files =
    !import.meta.withoutStorage && here === undefined
      ? await recordElsewhere(ctx, root, digest)
      : await recordTree(ctx, { root: here ?? root, manifest: manifest_path, digest });
  const manifest = {
    version: 1 as const,
    algorithm: digest.name,
    root: isElsewhere(root) ? root : resolve(ctx.folders.cwd, root),
    created_at: new Date(ctx.clock.now()).toISOString().replace('Z', '+00:00'),
    files,
  };
  await ctx.files.write(manifest_path, `${JSON.stringify(manifest, null, 2)}\n`, {
    parents: true,
    durable: ctx.durable,
    signal: ctx.signal,
  });
  return manifest;
});

export const FA_verify_manifest = command('FA_verify_manifest', async ({ root, manifest_path }, ctx) => {
  const here = pathHere(root);
  if (here !== undefined) await requireFolder(ctx.files, here);
  const manifest = await readManifest(ctx.files, manifest_path, root);
  if (!import.meta.withoutStorage && here === undefined)
    return await compareElsewhere(ctx, root, digestNamed(manifest.algorithm), manifest.files);
  return compareTree(ctx, {
    root: here ?? root,
    manifest: manifest_path,
    digest: digestNamed(manifest.algorithm),
    recorded: manifest.files,
  });
});

/**
 * The path of a folder of this machine, also of one that is written as an address: links are recorded there, and the
 * manifest left out. Undefined for a folder elsewhere.
 */
function pathHere(root: string): string | undefined {
  if (!isElsewhere(root)) return root;
  const uri = scanStorageUri(root);
  return uri && kindOf(uri.scheme) === 'local' ? uri.path : undefined;
}
