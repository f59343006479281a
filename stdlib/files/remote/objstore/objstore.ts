import { command } from '#stdlib/command.ts';

import { download, previewTree, upload, uploadTree } from '../transfers.ts';

export const FA_objstore_later_init = command(
  'FA_objstore_later_init',
  async ({ access_key_id, secret_access_key, region_name, endpoint_url, profile }, { objstore, signal }) => {
    await objstore.connect(
      {
        accessKey: access_key_id ?? undefined,
        secretKey: secret_access_key ?? undefined,
        region: region_name ?? undefined,
        endpoint: endpoint_url ?? undefined,
      },
      { signal },
      profile,
    );
    return true as const;
  },
);

export const FA_objstore_upload_file = command('FA_objstore_upload_file', async (params, ctx) => {
  const paths = { local: params.local_path, remote: `${params.bucket}/${params.key}` };
  return await upload(ctx, await ctx.objstore.current(ctx, params.profile), paths, params);
});

export const FA_objstore_upload_dir = command(
  'FA_objstore_upload_dir',
  async (params, ctx) => {
    const sent = await uploadTree(ctx, await ctx.objstore.current(ctx, params.profile), treeOf(params), params);
    return sent.map((path) => path.slice(params.bucket.length + 1));
  },
  async (params, ctx) =>
    await previewTree(ctx, await ctx.objstore.current(ctx, params.profile), treeOf(params), params),
);

function treeOf({ dir_path, bucket, key_prefix }: { dir_path: string; bucket: string; key_prefix: string }) {
  return { local: dir_path, remote: key_prefix === '' ? bucket : `${bucket}/${key_prefix}` };
}

export const FA_objstore_download_file = command('FA_objstore_download_file', async (params, ctx) => {
  const paths = { remote: `${params.bucket}/${params.key}`, local: params.target_path };
  return await download(ctx, await ctx.objstore.current(ctx, params.profile), paths, params);
});

export const FA_objstore_delete_object = command('FA_objstore_delete_object', async ({ bucket, key, profile }, ctx) => {
  await (await ctx.objstore.current(ctx, profile)).remove(`${bucket}/${key}`, { signal: ctx.signal });
  return true as const;
});

export const FA_objstore_list_bucket = command('FA_objstore_list_bucket', async ({ bucket, prefix, profile }, ctx) => {
  const keys: string[] = [];
  const backend = await ctx.objstore.current(ctx, profile);
  for await (const page of backend.startingWith(`${bucket}/${prefix}`, { signal: ctx.signal }))
    keys.push(...page.map(({ path }) => path.slice(bucket.length + 1)));
  return keys;
});
