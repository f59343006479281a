import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../built.ts';
import { asked, below, fits } from './row-case.ts';
import { runJobs } from './run-jobs.ts';
import type { Trace } from './trace.ts';
import { openWorld, type World } from './world.ts';

/**
 * Acts of jobs beyond their place: files read outside of it, files written other than where the pattern fits a
 * path from the outer folder, programs started, and connections. Acts that they do for sound files as well are
 * usual.
 */
export async function beyond(world: World, traces: readonly Trace[], mayWrite: RegExp): Promise<readonly string[]> {
  const usual = await usualOfJobs();
  const isOurs = (path: string): boolean =>
    [world.box, root, world.home, world.tmp].some((folder) => below(path, folder));
  const maybeWritten = (path: string): boolean =>
    below(path, world.outer) ? mayWrite.test(path.slice(world.outer.length + 1)) : usual.has(path);
  return traces.flatMap(({ reads, writes, programs, addresses }) => [
    ...reads.filter((path) => !isOurs(path) && !usual.has(path) && !fits(path, asked)).map((path) => `reads ${path}`),
    ...writes.filter((path) => !maybeWritten(path)).map((path) => `writes ${path}`),
    ...programs.filter((path) => !usual.has(path)).map((path) => `starts ${path}`),
    ...addresses.map((address) => `connects to ${address}`),
  ]);
}

/**
 * Files that the verbs may leave in the project: programs, the state of a run, and the cache of a user whose
 * home it is.
 */
export const leftByVerbs = /^box\/(?:.+\/)?(?:out|\.svc|\.cache)(?:\/|$)/;
/** The same for verbs that neither compile nor run. */
export const leftByReaders = /^box\/(?:.+\/)?\.cache(?:\/|$)/;

const sound = 'actions:\n- [AT_set_variable, { name: a, value: 1 }]\n';
const verbs = ['check', 'lint', 'plan', 'migrate', 'compile -o out', 'run --dry-run', 'run'];
let usual: Promise<ReadonlySet<string>> | undefined;

function usualOfJobs(): Promise<ReadonlySet<string>> {
  usual ??= traceOfSound();
  return usual;
}

async function traceOfSound(): Promise<ReadonlySet<string>> {
  const world = openWorld();
  try {
    const cwd = join(world.box, 'sound');
    mkdirSync(join(cwd, '.git'), { recursive: true });
    writeFileSync(join(cwd, 'a.yaml'), sound);
    const jobs = verbs.map((verb) => ({ cwd, words: [...verb.split(' '), 'a.yaml'] }));
    const { results, traces } = await runJobs(world, jobs, { seconds: 60, mib: 1536 });
    if (results.some((result) => result?.exit !== 0)) throw new Error(`sound: ${JSON.stringify(results)}`);
    const paths = traces.flatMap(({ reads, writes, programs }) => [...reads, ...writes, ...programs]);
    return new Set(paths.filter((path) => !below(path, world.outer)));
  } finally {
    world.close();
  }
}
