import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

import { requireProgram } from '../fixtures/programs.ts';
import type { Job, JobResult } from './job.ts';
import type { World } from './world.ts';

export interface JobLimits {
  /** Wall clock of one job. Processor time is counted beside it. */
  readonly seconds: number;
  /** Memory that the process may write to. */
  readonly mib: number;
}

const words = ['--conditions=source', '--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'many.ts')];

/**
 * Runs jobs one after another in a process under limits of the system. A job that ends the process, or takes too long, has no
 * result; the next one gets a new process.
 */
export async function runJobs(
  world: World,
  jobs: readonly Job[],
  limits: JobLimits,
): Promise<readonly (JobResult | undefined)[]> {
  const results: (JobResult | undefined)[] = [];
  while (results.length < jobs.length) {
    const child = start(world, limits);
    const answers = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    while (results.length < jobs.length) {
      child.stdin?.write(`${JSON.stringify(jobs[results.length])}\n`);
      const clock = setTimeout(() => child.kill('SIGKILL'), limits.seconds * 1000);
      const { value, done } = await answers.next();
      clearTimeout(clock);
      results.push(done === true ? undefined : (JSON.parse(value) as JobResult));
      if (done === true) break;
    }
    child.kill('SIGKILL');
  }
  return results;
}

function start({ box, env }: World, { mib }: JobLimits): ChildProcess {
  requireProgram('prlimit');
  const limited = [`--data=${mib * 2 ** 20}`, '--core=0', `--fsize=${2 ** 30}`, '--nofile=512'];
  const child = spawn('prlimit', [...limited, '--', process.execPath, ...words], {
    cwd: box,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => {});
  return child;
}
