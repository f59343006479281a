import { join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';
import type { Backend, Entry } from '#stdlib/files/backends/backend.ts';
import { quoted } from '#stdlib/files/backends/drive/quoted.ts';
import { localBackend } from '#stdlib/files/backends/near/local.ts';
import { patiently } from '#stdlib/files/backends/passing.ts';
import { nameOf } from '#stdlib/files/backends/remote-path.ts';
import { requireFile } from '#stdlib/files/backends/transfer/copy-file.ts';
import { notYetThere } from '#stdlib/files/backends/transfer/copy-tree.ts';
import { requireFolder } from '#stdlib/files/kind.ts';
import { safelyJoined } from '#stdlib/files/safe-join.ts';
import { typeByName } from '#stdlib/files/type-by-name.ts';

import { download, upload, type TransferParams, type UploadContext } from '../transfers.ts';

type Drive = Awaited<ReturnType<TransferContextOfDrive['drive']['current']>>;
type TransferContextOfDrive = Parameters<Parameters<typeof command<'FA_drive_upload_to_drive'>>[1]>[1];
type Named = Readonly<Record<'name' | 'id', string>>;

const FOLDER = 'application/vnd.google-apps.folder';
const OF_UNKNOWN_TYPE = 'application/octet-stream';

export const FA_drive_later_init = command(
  'FA_drive_later_init',
  async ({ token_path, credentials_path, endpoint_url, sign_in_timeout, profile }, { drive, signal }) => {
    await drive.connect(
      {
        tokenPath: token_path,
        credentialsPath: credentials_path,
        endpoint: endpoint_url ?? undefined,
        signInSeconds: sign_in_timeout ?? undefined,
      },
      { signal },
      profile,
    );
    return true as const;
  },
);

export const FA_drive_search_all_file = command('FA_drive_search_all_file', async ({ profile }, ctx) =>
  found(await ctx.drive.current(ctx, profile), 'trashed = false', ctx.signal),
);

export const FA_drive_search_field = command('FA_drive_search_field', async ({ field_pattern, profile }, ctx) => {
  const drive = await ctx.drive.current(ctx, profile);
  const all = [];
  for await (const page of drive.pages(undefined, { signal: ctx.signal, mask: field_pattern })) all.push(...page);
  return all;
});

export const FA_drive_search_file_mimetype = command(
  'FA_drive_search_file_mimetype',
  async ({ mime_type, profile }, ctx) =>
    found(await ctx.drive.current(ctx, profile), `mimeType = '${quoted(mime_type)}' and trashed = false`, ctx.signal),
);

async function found(drive: Drive, query: string, signal: AbortSignal): Promise<Named[]> {
  const all: Named[] = [];
  for await (const page of drive.pages(query, { signal }))
    all.push(...page.map(({ name, id }) => ({ name: String(name), id: String(id) })));
  return all;
}

export const FA_drive_upload_to_drive = command('FA_drive_upload_to_drive', async (params, ctx) =>
  send(ctx, await ctx.drive.current(ctx, params.profile), { ...params, folder_id: 'root' }),
);

export const FA_drive_upload_to_folder = command('FA_drive_upload_to_folder', async (params, ctx) =>
  send(ctx, await ctx.drive.current(ctx, params.profile), params),
);

interface Sent extends TransferParams {
  readonly folder_id: string;
  readonly file_path: string;
  readonly file_name: string | null;
}

/** A new file of a folder over there. */
async function send(ctx: UploadContext, drive: Drive, params: Sent): Promise<{ id: string }> {
  const folder = drive.into(params.folder_id, typeByName(params.file_path) ?? OF_UNKNOWN_TYPE);
  let id = '';
  const noted: Backend = {
    ...folder,
    write: async (name, content, options) => {
      const stored = await folder.write(name, content, options);
      id = stored.id ?? '';
      return stored;
    },
  };
  const remote = params.file_name ?? nameOf(params.file_path.replaceAll('\\', '/'));
  await upload(ctx, noted, { local: params.file_path, remote }, params);
  return { id };
}

export const FA_drive_upload_dir_to_drive = command('FA_drive_upload_dir_to_drive', async (params, ctx) =>
  sendAll(ctx, await ctx.drive.current(ctx, params.profile), { ...params, folder_id: 'root' }),
);

export const FA_drive_upload_dir_to_folder = command('FA_drive_upload_dir_to_folder', async (params, ctx) =>
  sendAll(ctx, await ctx.drive.current(ctx, params.profile), params),
);

interface SentFolder extends TransferParams {
  readonly dir_path: string;
  readonly folder_id: string;
}

async function sendAll(ctx: UploadContext, drive: Drive, { dir_path, ...params }: SentFolder): Promise<Named[]> {
  await requireFolder(ctx.files, dir_path);
  const all = (await ctx.files.list(dir_path)).filter(({ kind }) => kind === 'file').map(({ name }) => name);
  const names = params.resume ? await notSentYet(ctx, drive, { names: all, dir_path, ...params }) : all;
  const done: Named[] = [];
  await each(names.sort(), ctx.signal, done, async (name) => {
    const file = { ...params, file_path: join(dir_path, name), file_name: name };
    done.push({ name, ...(await send(ctx, drive, file)) });
  });
  return done;
}

/** Names of files that the folder over there does not have; of several with one name there the newest counts. */
async function notSentYet(
  { files, folders, signal, clock, digests }: UploadContext,
  drive: Drive,
  { names, dir_path, folder_id }: SentFolder & { readonly names: readonly string[] },
): Promise<string[]> {
  const to = drive.into(folder_id, OF_UNKNOWN_TYPE);
  const there = await patiently(clock, signal, async () => {
    const found = new Map<string, Entry>();
    for await (const page of to.list('', { signal })) for (const entry of page) found.set(entry.name, entry);
    return found;
  });
  const from = { backend: localBackend(files, folders), path: dir_path };
  const here = names.map(async (name) => ({
    name,
    entry: await requireFile({ ...from, path: join(dir_path, name) }, signal),
  }));
  const tools = { clock, digests, transfer: { signal } };
  const left = await notYetThere(tools, await Promise.all(here), { from, to: { backend: to }, there });
  return left.map(({ name }) => name);
}

/** Does something with each; what fails leaves the others alone, and is told in the end. */
async function each<Item extends string | Named>(
  items: readonly Item[],
  signal: AbortSignal,
  done: unknown,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failed: { readonly name: string; readonly error: Error }[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      failed.push({ name: typeof item === 'string' ? item : item.name, error });
    }
  }
  const [first] = failed;
  if (!first) return;
  const about = { failed: failed.length, total: items.length, first: `${first.name}: ${first.error.message}` };
  throw fail.storageFilesFailed({ ...about, result: done, cause: first.error });
}

export const FA_drive_add_folder = command('FA_drive_add_folder', async ({ folder_name, profile }, ctx) =>
  (await ctx.drive.current(ctx, profile)).addFolder(folder_name, 'root', { signal: ctx.signal }),
);

export const FA_drive_share_file_to_user = command(
  'FA_drive_share_file_to_user',
  async ({ file_id, user, user_role, profile }, ctx) => {
    const right = { type: 'user', role: user_role, emailAddress: user };
    return { id: await (await ctx.drive.current(ctx, profile)).share(file_id, right, ctx) };
  },
);

export const FA_drive_share_file_to_anyone = command(
  'FA_drive_share_file_to_anyone',
  async ({ file_id, share_role, profile }, ctx) => {
    const right = { type: 'anyone', role: share_role };
    return { id: await (await ctx.drive.current(ctx, profile)).share(file_id, right, ctx) };
  },
);

export const FA_drive_share_file_to_domain = command(
  'FA_drive_share_file_to_domain',
  async ({ file_id, domain, domain_role, profile }, ctx) => {
    const right = { type: 'domain', role: domain_role, domain };
    return { id: await (await ctx.drive.current(ctx, profile)).share(file_id, right, ctx) };
  },
);

export const FA_drive_delete_file = command('FA_drive_delete_file', async ({ file_id, profile }, ctx) => {
  await (await ctx.drive.current(ctx, profile)).removeId(file_id, ctx);
  return true as const;
});

export const FA_drive_download_file = command('FA_drive_download_file', async (params, ctx) => {
  const drive = await ctx.drive.current(ctx, params.profile);
  return await download(ctx, drive.byId(), { remote: params.file_id, local: params.file_name }, params);
});

export const FA_drive_download_file_from_folder = command(
  'FA_drive_download_file_from_folder',
  async ({ folder_name, target_dir, ...params }, ctx) => {
    const drive = await ctx.drive.current(ctx, params.profile);
    const { signal, files } = ctx;
    const query = `name = '${quoted(folder_name)}' and mimeType = '${FOLDER}' and trashed = false`;
    const folder = (await found(drive, query, signal)).find(({ name }) => name === folder_name);
    if (!folder) throw fail.storageNotFound({ place: drive.place, path: folder_name });
    const inside: Named[] = [];
    for await (const page of drive.pages(`'${quoted(folder.id)}' in parents and trashed = false`, { signal }))
      for (const { name, id, size } of page)
        if (size !== undefined) inside.push({ name: String(name), id: String(id) });
    await files.makeDirectory(target_dir, { recursive: true });
    // The other side may call a file `__proto__`.
    const done = Object.create(null) as Record<string, string>;
    await each(inside, signal, done, async ({ name, id }) => {
      requireOwnName(name);
      await safelyJoined(ctx, target_dir, name);
      if (Object.hasOwn(done, name)) throw fail.storageExists({ place: 'this machine', path: name });
      await download(ctx, drive.byId(), { remote: id, local: join(target_dir, name) }, params);
      done[name] = id;
    });
    return done;
  },
);

/** The other side chooses names: one that is more than a name leads elsewhere. */
function requireOwnName(name: string): void {
  // oxlint-disable-next-line no-control-regex -- a zero byte ends paths
  if (name === '' || name === '.' || name === '..' || /[/\\\u0000]/.test(name))
    throw fail.storagePath({ path: name.replaceAll('\0', ''), reason: 'it is no name of a file here' });
}
