import { command } from '#stdlib/command.ts';
import type { Backend } from '#stdlib/files/backends/backend.ts';
import { nameOf } from '#stdlib/files/backends/remote-path.ts';

import { download, upload, uploadTree } from '../transfers.ts';

export const FA_drive3_later_init = command(
  'FA_drive3_later_init',
  async ({ access_token, client_id, client_secret, token_path, endpoint_url, profile }, { drive3, signal }) => {
    await drive3.connect(
      {
        token: access_token,
        clientId: client_id,
        clientSecret: client_secret,
        tokenPath: token_path ?? undefined,
        endpoint: endpoint_url ?? undefined,
      },
      { signal },
      profile,
    );
    return true as const;
  },
);

export const FA_drive3_upload_file = command('FA_drive3_upload_file', async (params, ctx) => {
  const folder = (await ctx.drive3.current(ctx, params.profile)).within(params.parent_folder_id);
  let id = '';
  const noted: Backend = {
    ...folder,
    write: async (path, content, options) => {
      const stored = await folder.write(path, content, options);
      id = stored.id ?? '';
      return stored;
    },
  };
  const remote = params.name === '' ? nameOf(params.file_path.replaceAll('\\', '/')) : params.name;
  await upload(ctx, noted, { local: params.file_path, remote }, params);
  return id;
});

export const FA_drive3_upload_dir = command('FA_drive3_upload_dir', async (params, ctx) => {
  const folder = (await ctx.drive3.current(ctx, params.profile)).within(params.parent_folder_id);
  const tree = { delete: false, max_delete: null, dry_run: false, transfers: 4 };
  return await uploadTree(ctx, folder, { local: params.dir_path, remote: '' }, { ...params, ...tree });
});

export const FA_drive3_download_file = command('FA_drive3_download_file', async (params, ctx) => {
  const backend = (await ctx.drive3.current(ctx, params.profile)).byId();
  return await download(ctx, backend, { remote: params.file_id, local: params.target_path }, params);
});

export const FA_drive3_delete_file = command('FA_drive3_delete_file', async ({ file_id, profile }, ctx) => {
  await (await ctx.drive3.current(ctx, profile)).removeFile(file_id, ctx);
  return true as const;
});

export const FA_drive3_delete_folder = command(
  'FA_drive3_delete_folder',
  async ({ folder_id, recursive, profile }, ctx) => {
    await (await ctx.drive3.current(ctx, profile)).removeFolder(folder_id, { signal: ctx.signal, all: recursive });
    return true as const;
  },
);

export const FA_drive3_list_folder = command('FA_drive3_list_folder', async ({ folder_id, limit, profile }, ctx) => {
  const entries: { id: string; name: string; type: 'file' | 'folder' | 'web_link' }[] = [];
  const backend = await ctx.drive3.current(ctx, profile);
  for await (const page of backend.pages(folder_id, { signal: ctx.signal, limit: Math.min(limit, 1000) })) {
    for (const { id, name, type } of page)
      if (type === 'file' || type === 'folder' || type === 'web_link')
        entries.push({ id: String(id), name: String(name), type });
    if (entries.length >= limit) break;
  }
  return entries.slice(0, limit);
});
