import { command } from '#stdlib/command.ts';

import { download, previewTree, upload, uploadTree } from '../transfers.ts';

export const FA_filesync_later_init = command(
  'FA_filesync_later_init',
  async ({ oauth2_access_token, endpoint_url, profile }, { filesync, signal }) => {
    await filesync.connect({ token: oauth2_access_token, endpoint: endpoint_url ?? undefined }, { signal }, profile);
    return true as const;
  },
);

export const FA_filesync_upload_file = command('FA_filesync_upload_file', async (params, ctx) => {
  const paths = { local: params.local_path, remote: fromTop(params.remote_path) };
  return await upload(ctx, await ctx.filesync.current(ctx, params.profile), paths, params);
});

export const FA_filesync_upload_dir = command(
  'FA_filesync_upload_dir',
  async (params, ctx) => await uploadTree(ctx, await ctx.filesync.current(ctx, params.profile), treeOf(params), params),
  async (params, ctx) =>
    await previewTree(ctx, await ctx.filesync.current(ctx, params.profile), treeOf(params), params),
);

function treeOf({ dir_path, remote_prefix }: { readonly dir_path: string; readonly remote_prefix: string }) {
  return { local: dir_path, remote: fromTop(remote_prefix) };
}

export const FA_filesync_download_file = command('FA_filesync_download_file', async (params, ctx) => {
  const paths = { remote: fromTop(params.remote_path), local: params.target_path };
  return await download(ctx, await ctx.filesync.current(ctx, params.profile), paths, params);
});

export const FA_filesync_delete_path = command('FA_filesync_delete_path', async ({ remote_path, profile }, ctx) => {
  await (await ctx.filesync.current(ctx, profile)).removeAll(remote_path, ctx);
  return true as const;
});

export const FA_filesync_list_folder = command(
  'FA_filesync_list_folder',
  async ({ remote_path, recursive, profile }, ctx) => {
    const paths: string[] = [];
    const backend = await ctx.filesync.current(ctx, profile);
    for await (const page of backend.list(fromTop(remote_path), { signal: ctx.signal, deep: recursive }))
      paths.push(...page.map(({ path }) => path));
    return paths;
  },
);

/** Paths over there begin with a slash. */
function fromTop(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}
