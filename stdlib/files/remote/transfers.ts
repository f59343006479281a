import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { Preview } from '#runtime/kernel/linked.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Backend } from '#stdlib/files/backends/backend.ts';
import { localBackend } from '#stdlib/files/backends/near/local.ts';
import { folderOf, joinRemote, requireRemotePath } from '#stdlib/files/backends/remote-path.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';
import { copyTree, planTree, requireAll, type TreeOptions } from '#stdlib/files/backends/transfer/copy-tree.ts';
import type { Transfer, TransferTools } from '#stdlib/files/backends/transfer/job.ts';
import { Pace } from '#stdlib/files/backends/transfer/pace.ts';
import { requireFile, requireFolder } from '#stdlib/files/kind.ts';

/** Context of commands that move files. */
export type TransferContext = Base & Pick<Ports, 'files' | 'clock' | 'digests' | 'random' | 'progress'>;

/** Context of commands that send files. */
export type UploadContext = TransferContext & Pick<Ports, 'uploads'>;

/** Parameters of any transfer. */
export interface TransferParams {
  readonly progress_name: string | null;
  readonly bytes_per_second: number | null;
  readonly resume?: boolean;
  readonly exclusive?: boolean;
}

/** Does work as a transfer that may be watched and cancelled by its name. */
async function asTransfer<Result>(
  ctx: TransferContext & Partial<Pick<Ports, 'uploads'>>,
  { progress_name, bytes_per_second }: TransferParams,
  work: (tools: TransferTools, transfer: Transfer) => Promise<Result>,
): Promise<Result> {
  const { clock, digests, random, signal, uploads } = ctx;
  const pace = bytes_per_second === null ? undefined : new Pace(clock, bytes_per_second);
  return await ctx.progress.watch({ name: progress_name, signal }, (transfer) =>
    work({ clock, digests, random, transfer, pace, uploads }, transfer),
  );
}

/** Sends a local file. `parents`: makes the folders above it. */
export async function upload(
  ctx: UploadContext,
  backend: Backend,
  paths: { readonly local: string; readonly remote: string; readonly parents?: boolean },
  params: TransferParams,
): Promise<true> {
  const { files, folders, signal } = ctx;
  requireRemotePath(paths.remote);
  await requireFile(files, paths.local);
  const above = folderOf(paths.remote);
  if (paths.parents && above !== '' && above !== '/') await backend.makeFolder(above, { signal });
  await asTransfer(ctx, params, async (tools) => {
    const from = { backend: localBackend(files, folders), path: paths.local };
    return await copyFile(tools, from, { backend, path: paths.remote }, params);
  });
  return true;
}

/** Fetches a file; the target changes when all of it has come. */
export async function download(
  ctx: TransferContext,
  backend: Backend,
  paths: { readonly remote: string; readonly local: string },
  params: TransferParams,
): Promise<true> {
  const { files, folders, durable } = ctx;
  requireRemotePath(paths.remote);
  const there = await files.find(paths.local);
  if (there?.kind === 'directory') throw fail.isAFolder({ path: paths.local });
  if (there && there.kind !== 'file') throw fail.specialFile({ path: paths.local });
  await asTransfer(ctx, params, async (tools) => {
    const local = localBackend(files, { cwd: folders.cwd, durable, resumable: params.resume === true });
    return await copyFile(tools, { backend, path: paths.remote }, { backend: local, path: paths.local }, params);
  });
  return true;
}

export interface TreeParams extends TransferParams {
  readonly delete: boolean;
  readonly max_delete: number | null;
  readonly dry_run: boolean;
  readonly transfers: number;
}

interface TreePaths {
  readonly local: string;
  readonly remote: string;
  /** Stands before paths over there where they are shown. */
  readonly prefix?: string;
}

/** Sends a folder with all that is in it; yields the paths over there. */
export async function uploadTree(
  ctx: UploadContext,
  backend: Backend,
  paths: TreePaths,
  params: TreeParams,
): Promise<string[]> {
  const { from, to, options, plan } = await planned(ctx, backend, paths, params);
  const shown = (name: string): string => (paths.prefix ?? '') + joinRemote(paths.remote, name);
  if (params.dry_run) return plan.files.map(({ name }) => shown(name));
  const done = await asTransfer(ctx, params, async (tools, transfer) => {
    transfer.expect(plan.files.reduce((sum, { entry }) => sum + entry.size, 0));
    return await copyTree(tools, from, to, plan, options);
  });
  requireAll({ ...done, copied: done.copied.map(shown) }, plan.files.length);
  return done.copied.map(shown);
}

/** Changes that `uploadTree` would make. */
export async function previewTree(
  ctx: TransferContext,
  backend: Backend,
  paths: TreePaths,
  params: TreeParams,
): Promise<Preview> {
  const { plan } = await planned(ctx, backend, paths, params);
  const { prefix = '' } = paths;
  return {
    send: plan.files.map(({ name }) => prefix + joinRemote(paths.remote, name)),
    delete: plan.extras.map(({ path }) => prefix + path),
  };
}

async function planned(ctx: TransferContext, backend: Backend, paths: TreePaths, params: TreeParams) {
  const { files, folders, signal, clock, digests } = ctx;
  requireRemotePath(paths.remote);
  await requireFolder(files, paths.local);
  const from = { backend: localBackend(files, folders), path: paths.local };
  const to = { backend, path: joinRemote(paths.remote, '') };
  const options: TreeOptions = {
    deletes: params.delete,
    maxDelete: params.max_delete,
    workers: params.transfers,
    ...(params.resume && { resume: true }),
  };
  return { from, to, options, plan: await planTree({ clock, digests, transfer: { signal } }, from, to, options) };
}

/** Names of what a folder holds, in the order of the service. */
export async function namesIn(backend: Backend, path: string, signal: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  for await (const page of backend.list(requireRemotePath(path), { signal }))
    names.push(...page.map(({ name }) => name));
  return names;
}
