import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

import { requireProgram } from '../fixtures/programs.ts';
import type { Job, JobResult } from './job.ts';
import { readTrace, type Trace } from './trace.ts';
import { tracing } from './within-limits.ts';
import type { World } from './world.ts';

export interface JobLimits {
  /** Wall clock of one job. Processor time is counted beside it. */
  readonly seconds: number;
  /** Memory that the process may write to. */
  readonly mib: number;
}

export interface JobsOutcome {
  /** One for each job; none where it ended the process, or took too long. */
  readonly results: readonly (JobResult | undefined)[];
  /** System calls of each process that was needed. */
  readonly traces: readonly Trace[];
}

const words = ['--conditions=source', '--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'many.ts')];

/**
 * Runs jobs one after another in a process under limits of the system and with its system calls noted. A job that ends
 * the process, or takes too long, has no result; the next one gets a new process.
 */
export async function runJobs(world: World, jobs: readonly Job[], limits: JobLimits): Promise<JobsOutcome> {
  const results: (JobResult | undefined)[] = [];
  const traces: Trace[] = [];
  while (results.length < jobs.length) {
    const notes = join(world.outer, '.trace');
    const child = start(world, limits, notes);
    const closed = new Promise((resolve) => child.once('close', resolve));
    const answers = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    let isDead = false;
    while (results.length < jobs.length && !isDead) {
      child.stdin?.write(`${JSON.stringify(jobs[results.length])}\n`);
      const clock = setTimeout(() => end(child), limits.seconds * 1000);
      const { value, done } = await answers.next();
      clearTimeout(clock);
      isDead = done === true;
      results.push(isDead ? undefined : (JSON.parse(value as string) as JobResult));
    }
    child.stdin?.end();
    const clock = setTimeout(() => end(child), 10_000);
    await closed;
    clearTimeout(clock);
    traces.push(readTrace(readFileSync(notes, 'utf8'), world.box));
    rmSync(notes);
  }
  return { results, traces };
}

function start({ box, env }: World, { mib }: JobLimits, notes: string): ChildProcess {
  requireProgram('prlimit');
  const limited = [`--data=${mib * 2 ** 20}`, '--core=0', `--fsize=${2 ** 30}`, '--nofile=512'];
  const child = spawn('prlimit', [...limited, '--', ...tracing(notes), process.execPath, ...words], {
    cwd: box,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  child.stdin.on('error', () => {});
  return child;
}

/** Ends the whole group: a traced process outlives the one that traces it. */
function end({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}
