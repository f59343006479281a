import type { ChildProcess } from 'node:child_process';

import type { ProcessOptions, Processes, ProcessResult } from '#schemas/types/host.ts';

import { whenNeeded } from './when-needed.ts';

/** What is kept of each stream when no limit is given. */
const KEPT = 16 * 1024 * 1024;
/** How long a process may take to end by itself after it was asked to. */
const GRACE_MS = 2000;

/** Starts programs by their path or their name on PATH, never through a shell. */
export function makeProcesses(): Processes {
  return { run };
}

function run(file: string, args: readonly string[], options: ProcessOptions): Promise<ProcessResult> {
  options.signal?.throwIfAborted();
  // A group of its own, so that what the program started ends with it.
  const child = whenNeeded.processes.spawn(file, args, {
    shell: false,
    windowsHide: true,
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.env && { env: { ...options.env } }),
  });
  const stdout = collect(child.stdout, options.limit ?? KEPT);
  const stderr = collect(child.stderr, options.limit ?? KEPT);
  // A program that does not read its input closes the pipe: no error of ours.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  return finished(child, options, { stdout, stderr });
}

function finished(child: ChildProcess, options: ProcessOptions, output: { stdout: () => Uint8Array; stderr: () => Uint8Array }): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    let timedOut = false;
    let force: NodeJS.Timeout | undefined;
    const end = (): void => {
      if (force) return;
      kill(child, 'SIGTERM');
      force = setTimeout(() => kill(child, 'SIGKILL'), GRACE_MS);
    };
    const limit = options.timeout_ms === undefined ? undefined : setTimeout(() => ((timedOut = true), end()), options.timeout_ms);
    options.signal?.addEventListener('abort', end, { once: true });
    const settle = (): void => {
      clearTimeout(limit);
      clearTimeout(force);
      options.signal?.removeEventListener('abort', end);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code, signal) => {
      settle();
      if (options.signal?.aborted) return reject(options.signal.reason);
      resolve({ code, signal, stdout: output.stdout(), stderr: output.stderr(), timed_out: timedOut });
    });
    // A grandchild that holds the pipes open must not hold the run after the program itself has ended.
    child.once('exit', () => {
      if (force) setTimeout(() => (child.stdout?.destroy(), child.stderr?.destroy()), GRACE_MS / 4).unref();
    });
  });
}

/** Ends the program and what it started. */
function kill(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Keeps the first `limit` bytes of a stream and reads on, so that the writer never blocks. */
function collect(stream: NodeJS.ReadableStream, limit: number): () => Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  stream.on('data', (chunk: Uint8Array) => {
    if (size >= limit) return;
    chunks.push(chunk.subarray(0, limit - size));
    size += chunk.length;
  });
  return () => new Uint8Array(Buffer.concat(chunks));
}
