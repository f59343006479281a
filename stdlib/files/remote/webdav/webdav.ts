import { command } from '#stdlib/command.ts';

import { download, previewTree, upload, uploadTree } from '../transfers.ts';

export const FA_webdav_later_init = command(
  'FA_webdav_later_init',
  async ({ base_url, username, password, allow_private_hosts, timeout, verify_tls, profile }, { webdav, signal }) => {
    await webdav.connect(
      {
        baseUrl: base_url,
        username: username ?? undefined,
        password: password ?? undefined,
        allowPrivate: allow_private_hosts,
        timeoutMs: timeout * 1000,
        verify: verify_tls,
      },
      { signal },
      profile,
    );
    return true as const;
  },
);

export const FA_webdav_exists = command('FA_webdav_exists', async ({ remote_path, profile }, ctx) => {
  const backend = await ctx.webdav.current(ctx, profile);
  return (await backend.stat(backend.below(remote_path), ctx)) !== undefined;
});

export const FA_webdav_upload_file = command('FA_webdav_upload_file', async (params, ctx) => {
  const backend = await ctx.webdav.current(ctx, params.profile);
  await upload(ctx, backend, { local: params.local_path, remote: backend.below(params.remote_path) }, params);
  return null;
});

export const FA_webdav_upload_dir = command(
  'FA_webdav_upload_dir',
  async (params, ctx) => {
    const backend = await ctx.webdav.current(ctx, params.profile);
    const paths = { local: params.dir_path, remote: backend.below(params.remote_prefix) };
    return await uploadTree(ctx, backend, paths, params);
  },
  async (params, ctx) => {
    const backend = await ctx.webdav.current(ctx, params.profile);
    const paths = { local: params.dir_path, remote: backend.below(params.remote_prefix) };
    return await previewTree(ctx, backend, paths, params);
  },
);

export const FA_webdav_download_file = command('FA_webdav_download_file', async (params, ctx) => {
  const backend = await ctx.webdav.current(ctx, params.profile);
  await download(ctx, backend, { remote: backend.below(params.remote_path), local: params.target_path }, params);
  return null;
});

export const FA_webdav_delete_path = command('FA_webdav_delete_path', async ({ remote_path, profile }, ctx) => {
  const backend = await ctx.webdav.current(ctx, profile);
  await backend.removeAll(backend.below(remote_path), ctx);
  return null;
});

export const FA_webdav_create_dir = command('FA_webdav_create_dir', async ({ remote_path, profile }, ctx) => {
  const backend = await ctx.webdav.current(ctx, profile);
  await backend.makeOne(backend.below(remote_path), ctx);
  return null;
});

export const FA_webdav_list_dir = command('FA_webdav_list_dir', async ({ remote_path, profile }, ctx) => {
  const backend = await ctx.webdav.current(ctx, profile);
  const entries = await backend.entries(backend.below(remote_path), ctx);
  return entries.map(({ id, name, kind, size, lastModified }) => ({
    href: id,
    name,
    is_dir: kind === 'folder',
    size: size ?? null,
    last_modified: lastModified ?? null,
  }));
});

export const FA_webdav_close = command('FA_webdav_close', async ({ profile }, { webdav }) => {
  await webdav.close(profile);
  return true as const;
});
