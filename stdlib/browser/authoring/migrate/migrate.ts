import { resolve } from 'node:path';

import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Files } from '#schemas/types/host.ts';
import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { actionFilesBelow } from './action-files-below.ts';

/** Files whose problems a failure tells; the others stand in its result. */
const MOST_TOLD = 10;

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
  const readFiles = await readAll(await actionFilesBelow(ctx.files, directory), ctx);
  const results: MigratedFile[] = [];
  for (const file of readFiles) results.push(await finish(file, dry_run, ctx));
  return results;
});

/** Reads all files, or fails with what is wrong with each that cannot be read. */
async function readAll(paths: readonly string[], place: Place): Promise<readonly ReadFile[]> {
  const found: ReadFile[] = [];
  const problems: Error[] = [];
  for (const path of paths)
    try {
      found.push(await read(path, place));
    } catch (error) {
      place.signal.throwIfAborted();
      if (!(error instanceof Failure)) throw error;
      problems.push(error);
    }
  const [first] = problems;
  if (first) throw problems.length === 1 ? first : severalUnreadable(problems.map(({ message }) => message));
  return found;
}

function severalUnreadable(problems: readonly string[]): Error {
  const told = problems.slice(0, MOST_TOLD).map((problem) => problem.replace(/\.$/, ''));
  return fail.actionFilesUnreadable({ count: problems.length, problems: told.join('; '), result: [...problems] });
}

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
