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
  readonly ms: number;
  /** Peak resident memory in MiB. */
  readonly memory: number;
}

const memoryProbe = fileURLToPath(new URL('memory-probe.mjs', import.meta.url));

/** Runs `node …args` once and says how long it took from spawn to exit, and its peak memory. Throws when it fails. */
export async function measure(run: Run): Promise<Sample> {
  await run.before?.();
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const report = join(folder, 'memory');
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', memoryProbe, ...run.args], {
    cwd: run.cwd,
    env: { ...process.env, ...run.env, SVC_BENCH_MEMORY: report },
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'ignore', 'pipe'],
  });
  child.stdin?.end(run.input);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const status = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const ms = performance.now() - started;
  if (status !== (run.status ?? 0)) throw new Error(`${run.args.join(' ')} ended with ${status}:\n${errors.slice(0, 2_000)}`);
  const memory = Number(readFileSync(report, 'utf8')) / 1024;
  rmSync(folder, { recursive: true, force: true });
  return { ms, memory };
}
