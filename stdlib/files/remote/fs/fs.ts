import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import { commandRaising } from '#stdlib/command.ts';
import { folderOf, joinRemote } from '#stdlib/files/backends/remote-path.ts';

import { download, previewTree, upload, uploadTree } from '../transfers.ts';

const command = commandRaising('FilesystemException', [
  'BackendNotReadyException',
  'DirNotExistsException',
  'FileNotExistsException',
  'UrlValidationException',
]);

type Place = Awaited<ReturnType<Ports['storage']['open']>>;
interface Wanted {
  readonly url: string;
  readonly storage_options: Readonly<Record<string, unknown>>;
}

/** Does something at an address; a connection of its own ends with it. */
async function at<Result>(
  { storage, signal }: Base & Pick<Ports, 'storage'>,
  { url, storage_options }: Wanted,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const place = await storage.open(url, storage_options, { signal });
  try {
    return await work(place);
  } finally {
    await place.close();
  }
}

export const FA_fs_exists = command('FA_fs_exists', async (params, ctx) =>
  at(ctx, params, async ({ backend, path }) => (await backend.stat(path, ctx)) !== undefined),
);

export const FA_fs_upload_file = command('FA_fs_upload_file', async (params, ctx) => {
  await at(ctx, params, ({ backend, path }) =>
    upload(ctx, backend, { local: params.local_path, remote: path, parents: true }, params),
  );
  return null;
});

export const FA_fs_upload_dir = command(
  'FA_fs_upload_dir',
  async (params, ctx) =>
    at(ctx, params, ({ backend, path, prefix }) =>
      uploadTree(ctx, backend, { local: params.dir_path, remote: path, prefix }, params),
    ),
  async (params, ctx) =>
    at(ctx, params, ({ backend, path, prefix }) =>
      previewTree(ctx, backend, { local: params.dir_path, remote: path, prefix }, params),
    ),
);

export const FA_fs_download_file = command('FA_fs_download_file', async (params, ctx) => {
  await at(ctx, params, ({ backend, path }) =>
    download(ctx, backend, { remote: path, local: params.target_path }, params),
  );
  return null;
});

export const FA_fs_delete_path = command('FA_fs_delete_path', async (params, ctx) => {
  const { signal } = ctx;
  await at(ctx, params, async ({ backend, path }) => {
    const { place } = backend;
    if (path.replaceAll('/', '') === '') throw fail.storagePath({ path, reason: 'the top cannot be deleted' });
    const there = await backend.stat(path, { signal });
    if (there === undefined && (backend.can.folders || !params.recursive)) throw fail.storageNotFound({ place, path });
    if (params.recursive && there?.kind !== 'file') {
      if (there && (await isRemoved(backend, path, signal))) return;
      await removeBelow(backend, path, signal);
    }
    if (there) await backend.remove(path, { signal });
  });
  return null;
});

/** Removes what holds nothing of its own: an empty folder, or a link, whose folder stays with all that is in it. */
async function isRemoved(backend: Place['backend'], path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await backend.remove(path, { signal });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** Removes all that a folder holds. It is listed before the first goes: services count pages by what is there. */
async function removeBelow(backend: Place['backend'], path: string, signal: AbortSignal): Promise<void> {
  const [files, folders]: [string[], string[]] = [[], []];
  for await (const page of backend.list(path, { signal, deep: true }))
    for (const entry of page) (entry.kind === 'folder' ? folders : files).push(entry.path);
  for (const file of files) await backend.remove(file, { signal });
  // The deepest entries go first.
  folders.sort((one, other) => other.split('/').length - one.split('/').length);
  if (backend.can.folders) for (const folder of folders) await backend.remove(folder, { signal });
}

export const FA_fs_create_dir = command('FA_fs_create_dir', async (params, ctx) => {
  const { signal } = ctx;
  await at(ctx, params, async ({ backend, path }) => {
    const { place } = backend;
    if (!backend.can.folders) throw fail.storageCannot({ place, what: 'it has no folders of their own' });
    if (!params.create_parents) {
      const above = folderOf(path);
      if (await backend.stat(path, { signal })) throw fail.storageExists({ place, path });
      if (above !== '' && !(await backend.stat(above, { signal }))) throw fail.storageNotFound({ place, path: above });
    }
    await backend.makeFolder(path, { signal });
  });
  return null;
});

export const FA_fs_list_dir = command('FA_fs_list_dir', async (params, ctx) =>
  at(ctx, params, async ({ backend, path }) => {
    const entries: { name: string; is_dir: boolean; size: number | null }[] = [];
    for await (const page of backend.list(joinRemote(path, ''), ctx))
      for (const { name, kind, size } of page)
        entries.push({ name, is_dir: kind === 'folder', size: kind === 'folder' ? null : (size ?? null) });
    return entries;
  }),
);
