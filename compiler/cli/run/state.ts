import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import type { RunOutcome } from '#runtime/kernel/events.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

import { writeOutput } from '../write-output.ts';

/** The folder of a project's state: `<root>/.svc`, else one in the user's cache folder. Made when it is not there, ignored by git. */
export async function stateFolder(root: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const own = join(root, '.svc');
  try {
    await prepare(own);
    return own;
  } catch {
    const cache = env['XDG_CACHE_HOME'] ?? env['LOCALAPPDATA'] ?? join(homedir(), '.cache');
    const other = join(cache, 'svc', process.getBuiltinModule('node:crypto').createHash('sha256').update(root).digest('hex').slice(0, 16));
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

/** Remembers which files failed, for `--last-failed`. Files that did not run keep what was known of them. */
export async function rememberRun(folder: string, outcome: RunOutcome): Promise<void> {
  const before = (await readLastRun(folder)) ?? new Set<string>();
  const ran = new Map(outcome.files.map((file) => [file.file, file.status]));
  const failed = [...new Set([...before, ...ran.keys()])].filter((file) => (ran.get(file) ?? 'failed') === 'failed').toSorted();
  await writeOutput(join(folder, 'last-run.json'), `${JSON.stringify({ v: 1, run: outcome.run, status: outcome.status, failed }, null, 2)}\n`);
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
