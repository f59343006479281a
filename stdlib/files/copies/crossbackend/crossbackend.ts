import * as fail from '#schemas/generated/failures.ts';
import { commandRaising } from '#stdlib/command.ts';
import { folderOf, nameOf, requireRemotePath } from '#stdlib/files/backends/remote-path.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';
import { Pace } from '#stdlib/files/backends/transfer/pace.ts';

const command = commandRaising('CrossBackendException', [
  'BackendNotReadyException',
  'FileNotExistsException',
  'UrlValidationException',
]);

export const FA_copy_between = command('FA_copy_between', async ({ source, target, ...params }, ctx) => {
  const { storage, clock, digests, random, signal, uploads } = ctx;
  const from = await storage.open(source, {}, { signal });
  const to = await storage.open(target, {}, { signal });
  for (const [address, { path, backend }] of [
    [source, from],
    [target, to],
  ] as const) {
    const isTop =
      nameOf(requireRemotePath(path)) === '' ||
      (['blobstore', 'objstore'].includes(backend.scheme) && !path.includes('/'));
    if (isTop) throw fail.storageAddress({ address, reason: 'it names no file' });
  }
  if (from.backend === to.backend && from.path === to.path)
    throw fail.storageAddress({ address: target, reason: 'it is the source itself' });
  const above = folderOf(to.path);
  if (to.backend.can.folders && above !== '' && above !== '/') await to.backend.makeFolder(above, { signal });
  const pace = params.bytes_per_second === null ? undefined : new Pace(clock, params.bytes_per_second);
  await ctx.progress.watch({ name: params.progress_name, signal }, (transfer) =>
    copyFile({ clock, digests, random, transfer, pace, uploads }, from, to, params),
  );
  return true as const;
});
