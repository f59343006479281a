import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import { jsonText } from '#runtime/reporters/outgoing.ts';
import { Reader } from '#compiler/reader.ts';
import { files as disk } from '#runtime/hosts/node/all-files.ts';
import type { RunOutcome } from '#runtime/kernel/events.ts';
import { refuseLinks } from '#runtime/program/output.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

import { writeOutput } from './write-output.ts';

const LAST_RUN = 'last-run.json';

/**
 * The folder of a project's state: `<root>/.svc`, else one in the user's cache folder. Made when it is not there,
 * ignored by git. Fails where it is a link: what is written there would go where whoever made the link wants it.
 */
export async function stateFolder(root: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const own = join(root, '.svc');
  await refuseLinks(disk, join(own, LAST_RUN), [root]);
  try {
    await prepare(own);
    return own;
  } catch {
    const cache = env['XDG_CACHE_HOME'] ?? env['LOCALAPPDATA'] ?? join(homedir(), '.cache');
    const other = join(
      cache,
      'svc',
      process.getBuiltinModule('node:crypto').createHash('sha256').update(root).digest('hex').slice(0, 16),
    );
    await prepare(other);
    return other;
  }
}

async function prepare(folder: string): Promise<void> {
  await disk.makeDirectory(folder, { recursive: true });
  await disk.write(join(folder, '.gitignore'), '*\n', { exclusive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/**
 * Remembers which files did not pass, for `--last-failed`. Files that did not run keep what was known of them, and so
 * do those of which only some steps ran and passed. A run that was refused has not run.
 */
export async function rememberRun(
  folder: string,
  { run, status, files, refused }: RunOutcome,
  isPartial: boolean,
): Promise<void> {
  if (refused) return;
  const failed = new Set(await readLastRun(folder));
  const bad = files.filter((file) => file.status !== 'passed').map(({ file }) => file);
  if (!isPartial) for (const { file } of files) failed.delete(file);
  for (const file of bad) failed.add(file);
  await writeOutput(join(folder, LAST_RUN), `${jsonText({ v: 1, run, status, failed: [...failed].toSorted() }, 2)}\n`, [
    dirname(folder),
  ]);
}

/** The files that failed when they last ran. Fails where nothing has run yet. */
export async function lastFailed(folder: string): Promise<ReadonlySet<string>> {
  const known = await readLastRun(folder);
  if (!known) throw fail.noLastRun({ path: join(folder, LAST_RUN) });
  return known;
}

async function readLastRun(folder: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const bytes = await new Reader(disk, { roots: [folder] }).read(join(folder, LAST_RUN));
    const value = JSON.parse(new TextDecoder().decode(bytes)) as Json;
    const failed = isObject(value) ? value['failed'] : undefined;
    return Array.isArray(failed) ? new Set(failed.filter((file) => typeof file === 'string')) : undefined;
  } catch {
    return undefined;
  }
}
