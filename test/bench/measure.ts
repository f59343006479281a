import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A whole process to time. */
export interface Run {
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

/** Runs `node …args` once and says what it took. Throws when it fails. */
export async function measure(run: Run): Promise<Sample> {
  await run.before?.();
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  try {
    const report = join(folder, 'report.json');
    const ms = await timed(run, report);
    const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(report, 'utf8')) as NodeJS.ResourceUsage;
    return { ms, cpu: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS / 1024 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timed(run: Run, report: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, ['-r', probe, ...run.args], {
    cwd: run.cwd,
    env: { ...process.env, ...run.env, SVC_BENCH_REPORT: report },
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'ignore', 'pipe'],
  });
  child.stdin?.end(run.input);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const status = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const ms = performance.now() - started;
  if (status !== (run.status ?? 0)) throw new Error(`${run.args.join(' ')} ended with ${status}:\n${errors.slice(0, 2_000)}`);
  return ms;
}
