import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { jsonText } from '#runtime/reporters/outgoing.ts';
import type { RunOutcome } from '#runtime/kernel/events.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

import { writeOutput } from './write-output.ts';

/** The folder of a project's state: `<root>/.svc`, else one in the user's cache folder. Made when it is not there, ignored by git. */
export async function stateFolder(root: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const own = join(root, '.svc');
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
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/**
 * Remembers which files did not pass, for `--last-failed`. Files that did not run keep what was known of them, and so do
 * those of which only some steps ran and passed. A run that was refused has not run.
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
  await writeOutput(
    join(folder, 'last-run.json'),
    `${jsonText({ v: 1, run, status, failed: [...failed].toSorted() }, 2)}\n`,
  );
}

/** The files that failed when they last ran. Fails where nothing has run yet. */
export async function lastFailed(folder: string): Promise<ReadonlySet<string>> {
  const known = await readLastRun(folder);
  if (!known) throw fail.noLastRun({ path: join(folder, 'last-run.json') });
  return known;
}

async function readLastRun(folder: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const value = JSON.parse(await readFile(join(folder, 'last-run.json'), 'utf8')) as Json;
    const failed = isObject(value) ? value['failed'] : undefined;
    return Array.isArray(failed) ? new Set(failed.filter((file) => typeof file === 'string')) : undefined;
  } catch {
    return undefined;
  }
}
