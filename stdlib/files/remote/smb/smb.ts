import * as fail from '#schemas/generated/failures.ts';
import type { Backend } from '#stdlib/files/backends/backend.ts';
import { command } from '#stdlib/command.ts';

import { download, previewTree, upload, uploadTree } from '../transfers.ts';

export const FA_smb_later_init = command(
  'FA_smb_later_init',
  async ({ server, share, username, password, port, encrypt, connection_timeout, profile }, { smb, signal }) => {
    await smb.connect(
      {
        server,
        share,
        username: username ?? undefined,
        password: password ?? undefined,
        port,
        encrypt,
        timeoutMs: connection_timeout * 1000,
      },
      { signal },
      profile,
    );
    return true as const;
  },
);

export const FA_smb_exists = command('FA_smb_exists', async ({ remote_path, profile }, ctx) => {
  const backend = await ctx.smb.current(ctx, profile);
  return (await backend.stat(plain(remote_path), ctx)) !== undefined;
});

export const FA_smb_upload_file = command('FA_smb_upload_file', async (params, ctx) => {
  await upload(
    ctx,
    await ctx.smb.current(ctx, params.profile),
    { local: params.local_path, remote: plain(params.remote_path) },
    params,
  );
  return null;
});

export const FA_smb_upload_dir = command(
  'FA_smb_upload_dir',
  async (params, ctx) => await uploadTree(ctx, await ctx.smb.current(ctx, params.profile), treeOf(params), params),
  async (params, ctx) => await previewTree(ctx, await ctx.smb.current(ctx, params.profile), treeOf(params), params),
);

function treeOf({ dir_path, remote_prefix }: { readonly dir_path: string; readonly remote_prefix: string }) {
  return { local: dir_path, remote: plain(remote_prefix) };
}

export const FA_smb_download_file = command('FA_smb_download_file', async (params, ctx) => {
  const paths = { remote: plain(params.remote_path), local: params.target_path };
  await download(ctx, await ctx.smb.current(ctx, params.profile), paths, params);
  return null;
});

export const FA_smb_delete_path = command('FA_smb_delete_path', async ({ remote_path, profile }, ctx) => {
  const backend = await ctx.smb.current(ctx, profile);
  await requireKind(backend, plain(remote_path), 'file', ctx.signal);
  await backend.remove(plain(remote_path), ctx);
  return null;
});

export const FA_smb_create_dir = command('FA_smb_create_dir', async ({ remote_path, profile }, ctx) => {
  await (await ctx.smb.current(ctx, profile)).makeFolder(plain(remote_path), ctx);
  return null;
});

export const FA_smb_remove_dir = command('FA_smb_remove_dir', async ({ remote_path, profile }, ctx) => {
  const backend = await ctx.smb.current(ctx, profile);
  await requireKind(backend, plain(remote_path), 'folder', ctx.signal);
  await backend.remove(plain(remote_path), ctx);
  return null;
});

export const FA_smb_list_dir = command('FA_smb_list_dir', async ({ remote_path, profile }, ctx) => {
  const backend = await ctx.smb.current(ctx, profile);
  const found: { name: string; is_dir: boolean; size: number | null }[] = [];
  for await (const page of backend.list(plain(remote_path), { signal: ctx.signal }))
    found.push(...page.map(({ name, kind, size }) => ({ name, is_dir: kind === 'folder', size: size ?? null })));
  return found;
});

export const FA_smb_close = command('FA_smb_close', async ({ profile }, { smb }) => {
  await smb.close(profile);
  return true as const;
});

/** Both slashes mean the same. */
function plain(path: string): string {
  return path.replaceAll('\\', '/');
}

async function requireKind(
  backend: Backend,
  path: string,
  kind: 'file' | 'folder',
  signal: AbortSignal,
): Promise<void> {
  const there = await backend.stat(path, { signal });
  const about = { place: backend.place, path };
  if (there === undefined) throw fail.storageNotFound(about);
  if (there.kind !== kind) throw kind === 'file' ? fail.storageIsFolder(about) : fail.storageNotFolder(about);
}
