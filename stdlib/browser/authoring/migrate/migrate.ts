import { resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Files } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { actionFilesBelow } from './action-files-below.ts';

type MigratedFile = CommandMap['WR_migrate_action_file']['result'];

interface Place extends Pick<Base, 'folders' | 'durable' | 'signal'> {
  readonly compiler: Ports['compiler'];
  readonly files: Files;
}

export const WR_migrate_action = command('WR_migrate_action', async ({ data }, ctx) => {
  const { text, changes } = await ctx.compiler.migrate({ data: data as Json }, ctx.signal);
  const pair: [unknown, typeof changes] = [JSON.parse(text) as unknown, changes];
  return pair;
});

export const WR_migrate_action_file = command('WR_migrate_action_file', async ({ path, dry_run }, ctx) =>
  finish(await read(path, ctx), dry_run, ctx),
);

export const WR_migrate_directory = command('WR_migrate_directory', async ({ directory, dry_run }, ctx) => {
  const readFiles = [];
  for (const path of await actionFilesBelow(ctx.files, directory)) readFiles.push(await read(path, ctx));
  const results: MigratedFile[] = [];
  for (const file of readFiles) results.push(await finish(file, dry_run, ctx));
  return results;
});

interface ReadFile {
  readonly path: string;
  readonly migrated: Awaited<ReturnType<Ports['compiler']['migrate']>>;
  readonly isChanged: boolean;
}

async function read(path: string, { compiler, files, folders, signal }: Place): Promise<ReadFile> {
  const migrated = await compiler.migrate({ path: resolve(folders.cwd, path) }, signal);
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await files.read(path));
  return { path, migrated, isChanged: before.replace(/^\uFEFF/, '') !== migrated.text };
}

async function finish(file: ReadFile, dryRun: boolean, { files, durable }: Place): Promise<MigratedFile> {
  const { path, migrated, isChanged } = file;
  const written = isChanged && !dryRun;
  if (written) await files.write(path, migrated.text, { durable });
  return { path, changes: [...migrated.changes], written };
}
