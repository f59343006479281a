import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { download, namesIn, previewTree, upload, uploadTree } from '../transfers.ts';

export const FA_sftp_later_init = command(
  'FA_sftp_later_init',
  async ({ host, username, password, key_filename, port, known_hosts, timeout, profile }, { sftp, signal }) => {
    await sftp.connect(
      {
        host,
        port,
        username,
        password: password ?? undefined,
        keyFile: key_filename ?? undefined,
        knownHosts: known_hosts ?? undefined,
        timeoutMs: timeout * 1000,
      },
      { signal },
      profile,
    );
    return true as const;
  },
);

export const FA_sftp_close = command('FA_sftp_close', async ({ profile }, { sftp }) => {
  await sftp.close(profile);
  return true as const;
});

export const FA_sftp_upload_file = command('FA_sftp_upload_file', async (params, ctx) => {
  const paths = { local: params.local_path, remote: params.remote_path, parents: true };
  return await upload(ctx, await ctx.sftp.current(ctx, params.profile), paths, params);
});

export const FA_sftp_upload_dir = command(
  'FA_sftp_upload_dir',
  async (params, ctx) =>
    await uploadTree(
      ctx,
      await ctx.sftp.current(ctx, params.profile),
      { local: params.dir_path, remote: params.remote_prefix },
      params,
    ),
  async (params, ctx) =>
    await previewTree(
      ctx,
      await ctx.sftp.current(ctx, params.profile),
      { local: params.dir_path, remote: params.remote_prefix },
      params,
    ),
);

export const FA_sftp_download_file = command('FA_sftp_download_file', async (params, ctx) => {
  const paths = { remote: params.remote_path, local: params.target_path };
  return await download(ctx, await ctx.sftp.current(ctx, params.profile), paths, params);
});

export const FA_sftp_delete_path = command('FA_sftp_delete_path', async ({ remote_path, profile }, ctx) => {
  const { signal } = ctx;
  const backend = await ctx.sftp.current(ctx, profile);
  const there = await backend.stat(remote_path, { signal });
  if (there?.kind === 'folder') throw fail.storageIsFolder({ place: backend.place, path: remote_path });
  await backend.remove(remote_path, { signal });
  return true as const;
});

export const FA_sftp_list_dir = command('FA_sftp_list_dir', async ({ remote_path, profile }, ctx) =>
  namesIn(await ctx.sftp.current(ctx, profile), remote_path, ctx.signal),
);
