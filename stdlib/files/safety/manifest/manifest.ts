import { resolve } from 'node:path';

import { commandRaising } from '#stdlib/command.ts';
import { digestNamed } from '#stdlib/files/digest-name.ts';
import { isElsewhere } from '#grammar/storage-uri/is-elsewhere.ts';
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
  const isFar = isElsewhere(root);
  if (!isFar) await requireFolder(ctx.files, root);
  const files =
    !import.meta.withoutStorage && isFar
      ? await recordElsewhere(ctx, root, digest)
      : await recordTree(ctx, { root, manifest: manifest_path, digest });
  const manifest = {
    version: 1 as const,
    algorithm: digest.name,
    root: isFar ? root : resolve(ctx.folders.cwd, root),
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
  const isFar = isElsewhere(root);
  if (!isFar) await requireFolder(ctx.files, root);
  const manifest = await readManifest(ctx.files, manifest_path, root);
  if (!import.meta.withoutStorage && isFar)
    return await compareElsewhere(ctx, root, digestNamed(manifest.algorithm), manifest.files);
  return compareTree(ctx, {
    root,
    manifest: manifest_path,
    digest: digestNamed(manifest.algorithm),
    recorded: manifest.files,
  });
});
