import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { scratch } from './scratch.ts';

/** A whole process to time. */
export interface Run {
  /** Node where it is left out. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** Exit status that counts as success (0). */
  readonly status?: number;
  /** Called before each measured run, outside the measured time. */
  readonly before?: () => void | Promise<void>;
}

export interface Sample {
  /** From spawn to exit. */
  readonly ms: number;
  /** Processor time of the process itself, user and system: other processes of the machine hardly touch it. */
  readonly cpu: number;
  /** Peak resident memory in MiB. */
  readonly memory: number;
}

const probe = fileURLToPath(new URL('probe.cjs', import.meta.url));
const peer = fileURLToPath(new URL('peer.py', import.meta.url));

/** Figures of a process from the probe, or from the runner of other programs. */
type Report = Pick<NodeJS.ResourceUsage, 'userCPUTime' | 'systemCPUTime' | 'maxRSS'> & { readonly ms?: number };

/** Runs `node …args`, or another program, once and says what it took. Throws when it fails. */
export async function measure(run: Run): Promise<Sample> {
  await run.before?.();
  const { folder, remove } = scratch();
  try {
    const report = join(folder, 'report.json');
    const taken = await timed(run, report);
    const { userCPUTime, systemCPUTime, maxRSS, ms = taken } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    return { ms, cpu: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS / 1024 };
  } finally {
    remove();
  }
}

async function timed(run: Run, report: string): Promise<number> {
  const started = performance.now();
  const [program, args] =
    run.program === undefined
      ? [process.execPath, ['-r', probe, ...run.args]]
      : ['python3', [peer, report, run.program, ...run.args]];
  const child = spawn(program, args, {
    cwd: run.cwd,
    env: { ...process.env, ...run.env, SVC_BENCH_REPORT: report },
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'ignore', 'pipe'],
  });
  child.stdin?.end(run.input);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const status = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('exit', resolve),
  );
  const ms = performance.now() - started;
  if (status !== (run.status ?? 0))
    throw new Error(`${run.args.join(' ')} ended with ${status}:\n${errors.slice(0, 2_000)}`);
  return ms;
}
