import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { download, namesIn, previewTree, upload, uploadTree } from '../transfers.ts';

export const FA_ftp_later_init = command(
  'FA_ftp_later_init',
  async ({ host, username, password, port, tls, timeout, passive, verify_tls, profile }, { ftp, signal }) => {
    await ftp.connect(
      { host, port, username, password, tls, passive, verify: verify_tls, timeoutMs: timeout * 1000 },
      { signal },
      profile,
    );
    return true as const;
  },
);

export const FA_ftp_close = command('FA_ftp_close', async ({ profile }, { ftp }) => {
  await ftp.close(profile);
  return true as const;
});

export const FA_ftp_upload_file = command('FA_ftp_upload_file', async (params, ctx) => {
  const paths = { local: params.file_path, remote: params.remote_path, parents: true };
  return await upload(ctx, await ctx.ftp.current(ctx, params.profile), paths, params);
});

export const FA_ftp_upload_dir = command(
  'FA_ftp_upload_dir',
  async (params, ctx) =>
    await uploadTree(
      ctx,
      await ctx.ftp.current(ctx, params.profile),
      { local: params.dir_path, remote: params.remote_prefix },
      params,
    ),
  async (params, ctx) =>
    await previewTree(
      ctx,
      await ctx.ftp.current(ctx, params.profile),
      { local: params.dir_path, remote: params.remote_prefix },
      params,
    ),
);

export const FA_ftp_download_file = command('FA_ftp_download_file', async (params, ctx) => {
  const paths = { remote: params.remote_path, local: params.target_path };
  return await download(ctx, await ctx.ftp.current(ctx, params.profile), paths, params);
});

export const FA_ftp_delete_path = command('FA_ftp_delete_path', async ({ remote_path, profile }, ctx) => {
  const backend = await ctx.ftp.current(ctx, profile);
  const there = await backend.stat(remote_path, ctx);
  if (there?.kind === 'folder') throw fail.storageIsFolder({ place: backend.place, path: remote_path });
  await backend.remove(remote_path, ctx);
  return true as const;
});

export const FA_ftp_list_dir = command('FA_ftp_list_dir', async ({ remote_path, profile }, ctx) =>
  namesIn(await ctx.ftp.current(ctx, profile), remote_path, ctx.signal),
);
