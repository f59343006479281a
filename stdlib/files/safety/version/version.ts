import { commandRaising } from '#stdlib/command.ts';

import { FileVersioner } from './file-versioner.ts';

const command = commandRaising('VersioningException');

export const FA_version_save = command('FA_version_save', ({ root, path }, ctx) =>
  new FileVersioner(ctx, root).save_version(path),
);

export const FA_version_list = command('FA_version_list', ({ root, path }, ctx) =>
  new FileVersioner(ctx, root).list_versions(path),
);

export const FA_version_restore = command('FA_version_restore', async ({ root, path, version }, ctx) => {
  await new FileVersioner(ctx, root).restore(path, version);
  return null;
});

export const FA_version_prune = command('FA_version_prune', ({ root, path, keep }, ctx) =>
  new FileVersioner(ctx, root).prune(path, keep),
);
