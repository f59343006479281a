import { command } from '#stdlib/command.ts';

import { download, previewTree, upload, uploadTree } from '../transfers.ts';

export const FA_blobstore_later_init = command(
  'FA_blobstore_later_init',
  async ({ connection_string, account_url, credential, profile }, { blobstore, signal }) => {
    await blobstore.connect(
      {
        connectionString: connection_string ?? undefined,
        accountUrl: account_url ?? undefined,
        credential: credential ?? undefined,
      },
      { signal },
      profile,
    );
    return true as const;
  },
);

export const FA_blobstore_upload_file = command('FA_blobstore_upload_file', async (params, ctx) => {
  const paths = { local: params.local_path, remote: `${params.container}/${params.blob_name}` };
  return await upload(ctx, await ctx.blobstore.current(ctx, params.profile), paths, {
    ...params,
    exclusive: !params.overwrite,
  });
});

export const FA_blobstore_upload_dir = command(
  'FA_blobstore_upload_dir',
  async (params, ctx) => {
    const sent = await uploadTree(ctx, await ctx.blobstore.current(ctx, params.profile), treeOf(params), params);
    return sent.map((path) => path.slice(params.container.length + 1));
  },
  async (params, ctx) =>
    await previewTree(ctx, await ctx.blobstore.current(ctx, params.profile), treeOf(params), params),
);

function treeOf({ dir_path, container, name_prefix }: { dir_path: string; container: string; name_prefix: string }) {
  return { local: dir_path, remote: name_prefix === '' ? container : `${container}/${name_prefix}` };
}

export const FA_blobstore_download_file = command('FA_blobstore_download_file', async (params, ctx) => {
  const paths = { remote: `${params.container}/${params.blob_name}`, local: params.target_path };
  return await download(ctx, await ctx.blobstore.current(ctx, params.profile), paths, params);
});

export const FA_blobstore_delete_blob = command(
  'FA_blobstore_delete_blob',
  async ({ container, blob_name, profile }, ctx) => {
    await (await ctx.blobstore.current(ctx, profile)).remove(`${container}/${blob_name}`, { signal: ctx.signal });
    return true as const;
  },
);

export const FA_blobstore_list_container = command(
  'FA_blobstore_list_container',
  async ({ container, name_prefix, profile }, ctx) => {
    const names: string[] = [];
    const backend = await ctx.blobstore.current(ctx, profile);
    for await (const page of backend.startingWith(`${container}/${name_prefix}`, { signal: ctx.signal }))
      names.push(...page.map(({ path }) => path.slice(container.length + 1)));
    return names;
  },
);
