import { command } from '#stdlib/command.ts';

import { download, previewTree, upload, uploadTree } from '../transfers.ts';

export const FA_drive2_later_init = command(
  'FA_drive2_later_init',
  async ({ access_token, endpoint_url, profile }, { drive2, signal }) => {
    await drive2.connect({ token: access_token, endpoint: endpoint_url ?? undefined }, { signal }, profile);
    return true as const;
  },
);

/** Own files, all that the person can reach, and renewal. */
const SCOPES = ['Files.ReadWrite', 'Files.ReadWrite.All'];
const RENEWAL = 'offline_access';

export const FA_drive2_device_code_login = command(
  'FA_drive2_device_code_login',
  async ({ client_id, tenant_id, scopes, timeout, endpoint_url, authority_url, profile }, { drive2, signal }) => {
    const asked = scopes ?? SCOPES;
    const wanted = {
      clientId: client_id,
      tenant: tenant_id ?? 'common',
      scopes: asked.includes(RENEWAL) ? asked : [...asked, RENEWAL],
      seconds: timeout,
      endpoint: endpoint_url ?? undefined,
      authority: authority_url ?? undefined,
    };
    return { ...(await drive2.signIn(wanted, { signal }, profile)) };
  },
);

export const FA_drive2_upload_file = command('FA_drive2_upload_file', async (params, ctx) => {
  const paths = { local: params.file_path, remote: params.remote_path };
  return await upload(ctx, await ctx.drive2.current(ctx, params.profile), paths, params);
});

export const FA_drive2_upload_dir = command(
  'FA_drive2_upload_dir',
  async (params, ctx) => await uploadTree(ctx, await ctx.drive2.current(ctx, params.profile), treeOf(params), params),
  async (params, ctx) => await previewTree(ctx, await ctx.drive2.current(ctx, params.profile), treeOf(params), params),
);

function treeOf({ dir_path, remote_prefix }: { readonly dir_path: string; readonly remote_prefix: string }) {
  return { local: dir_path, remote: remote_prefix };
}

export const FA_drive2_download_file = command('FA_drive2_download_file', async (params, ctx) => {
  const paths = { remote: params.remote_path, local: params.target_path };
  return await download(ctx, await ctx.drive2.current(ctx, params.profile), paths, params);
});

export const FA_drive2_delete_item = command('FA_drive2_delete_item', async ({ remote_path, profile }, ctx) => {
  await (await ctx.drive2.current(ctx, profile)).removeAll(remote_path, ctx);
  return true as const;
});

export const FA_drive2_list_folder = command('FA_drive2_list_folder', async ({ remote_path, profile }, ctx) => {
  const entries: { name: string; type: 'file' | 'folder'; size: number }[] = [];
  const backend = await ctx.drive2.current(ctx, profile);
  for await (const page of backend.list(remote_path, { signal: ctx.signal }))
    for (const { name, kind, size = 0 } of page)
      entries.push({ name, type: kind === 'folder' ? 'folder' : 'file', size });
  return entries;
});

export const FA_drive2_close = command('FA_drive2_close', async ({ profile }, { drive2 }) => {
  await drive2.close(profile);
  return true as const;
});
