import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type {
  AdoptedProcess,
  ProcessEnd,
  ProcessOptions,
  Processes,
  ProcessResult,
  StartedProcess,
  StartOptions,
} from '#schemas/types/host.ts';

import { clock } from '../clock.ts';
import { guardian } from './guardian.ts';
import { isTreeAlive, processesBelow, signalTree, type Process } from './process-tree.ts';
import { Programs } from './programs.ts';
import { spawnProgram } from './spawn.ts';
import { systemError } from '../system-error.ts';
import { whenNeeded } from '../when-needed.ts';

/** Bytes that are kept of each stream when no limit is given. */
const KEPT = 16 * 1024 * 1024;
/** Time (ms) that a process has to end by itself after it was asked to. */
const GRACE_MS = 2000;
const LOOK_MS = 20;

/**
 * Starts programs by their path or their name on PATH, never through a shell. `env`: that of the host, whose PATH
 * counts. `from`: the host's working folder; programs stand there, and relative folders of theirs begin there.
 * Undefined: where the process stands.
 */
export function makeProcesses(env: Readonly<Record<string, string | undefined>>, from?: string): Processes {
  const programs = new Programs(env);
  return {
    run: async (file, args, given) => {
      const cwd = from === undefined ? given.cwd : resolve(from, given.cwd ?? '.');
      const options = { ...given, ...(cwd !== undefined && { cwd }) };
      const child = startFor(locate(programs, file, cwd), args, options);
      const ending = new Ending(child);
      const release = child.pid === undefined ? undefined : guardian.watch(child.pid, () => ending.kill());
      try {
        return await resultOf(child, ending, options);
      } finally {
        release?.();
      }
    },
    start: (file, args, options = {}) => started(file, args, { ...options, ...(from !== undefined && { cwd: from }) }),
    adopt: (pid) => adopted(pid),
    expect: (text) => guardian.expect(text),
    settle: (paths, before) => programs.settle(paths, before),
    find: (names) => programs.find(names),
    isUnchanged: (path) => programs.isUnchanged(path),
    changedBelow: (path) => programs.changedBelow(path),
  };
}

type Output = 'stdout' | 'stderr';

/** A name is looked for on PATH; what has a folder in it is a path, and begins at the program's working directory. */
function locate(programs: Programs, file: string, cwd = '.'): string {
  if (/[/\\]/.test(file) && (process.platform === 'win32' || file.includes('/'))) return resolve(cwd, file);
  const found = file === '' ? undefined : programs.find([file]);
  if (found === undefined) throw systemError('ENOENT', 'no such program', file);
  return found;
}

function startFor(file: string, args: readonly string[], options: ProcessOptions): ChildProcess {
  options.signal?.throwIfAborted();
  guardian.stands();
  const kept = options.output === 'drop' ? 'ignore' : 'pipe';
  // A group of its own, so that what the program started ends with it.
  return spawnProgram(file, args, {
    detached: process.platform !== 'win32',
    stdio: [options.input === undefined ? 'ignore' : 'pipe', kept, kept],
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.env && { env: { ...options.env } }),
  });
}

function adopted(pid: number): AdoptedProcess {
  const kill = (): void => signalTree(pid, processesBelow(pid), 'SIGKILL');
  return { kill, release: guardian.watch(pid, kill) };
}

function started(
  file: string,
  args: readonly string[],
  { env, cwd, input, outlives = false }: StartOptions & { readonly cwd?: string },
): StartedProcess {
  const output = outlives ? 'ignore' : 'pipe';
  if (!outlives) guardian.stands();
  const child = spawnProgram(file, args, {
    stdio: [input || outlives ? 'pipe' : 'ignore', output, output],
    ...(cwd !== undefined && { cwd }),
    detached: process.platform !== 'win32',
    ...(env && { env: { ...env } }),
  });
  const { pid } = child;
  if (outlives) letGo(child);
  const held =
    pid === undefined || outlives ? { kill: () => void child.kill('SIGKILL'), release: () => undefined } : adopted(pid);
  const ended = new Promise<ProcessEnd>((resolved) => {
    child.once('error', (error) => resolved({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolved({ code, signal }));
  });
  const { stdin, stdout, stderr } = child;
  // A program that ends before it has read all closes the pipe: its end says why.
  if (input && stdin) void pipeline(input, stdin).catch(() => held.kill());
  return {
    pid,
    ended,
    ...held,
    ...(input && stdout && stderr && { streams: { output: stdout, errors: stderr } }),
    ask: () => void child.kill('SIGTERM'),
    onOutput: (listener) => {
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', listener);
    },
  };
}

function letGo(child: ChildProcess): void {
  child.unref();
  child.stdin?.on('error', () => undefined);
  (child.stdin as Socket | null)?.unref();
}

async function resultOf(child: ChildProcess, ending: Ending, options: ProcessOptions): Promise<ProcessResult> {
  const output = {
    stdout: collect(child, 'stdout', options.limit ?? KEPT),
    stderr: collect(child, 'stderr', options.limit ?? KEPT),
  };
  // A program that does not read its input closes the pipe: no error of ours.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(options.input ?? '');
  const { code, signal } = await finished(child, ending, options);
  await ending.complete();
  if (options.signal?.aborted) throw options.signal.reason;
  return {
    code,
    signal,
    ...numberOf(signal),
    stdout: output.stdout(),
    stderr: output.stderr(),
    timed_out: ending.isBegun,
  };
}

/** Resolves when the program has ended and closed its output, which what it left behind may hold open. */
function finished(
  child: ChildProcess,
  ending: Ending,
  { timeout_ms, signal }: ProcessOptions,
): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    const begin = (): void => ending.begin();
    const cancelLimit = timeout_ms === undefined ? () => undefined : clock.timer(timeout_ms, begin);
    signal?.addEventListener('abort', begin, { once: true });
    const settle = (): void => {
      cancelLimit();
      signal?.removeEventListener('abort', begin);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code, name) => {
      settle();
      resolve({ code, signal: name });
    });
  });
}

/** Ends a program with all that it started: asks first, kills what is left after a while, and knows when nothing is. */
class Ending {
  readonly #child: ChildProcess;
  #others: readonly Process[] = [];
  #begun: Promise<void> | undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  get isBegun(): boolean {
    return this.#begun !== undefined;
  }

  begin(): void {
    this.#begun ??= this.#end();
  }

  /** Resolves when nothing of the program is left, where its end has begun; else at once. */
  async complete(): Promise<void> {
    await this.#begun;
  }

  /** Kills it at once, and without waiting. */
  kill(): void {
    const { pid } = this.#child;
    if (pid !== undefined) signalTree(pid, processesBelow(pid), 'SIGKILL');
  }

  async #end(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    this.#others = processesBelow(pid);
    this.#signal('SIGTERM');
    for (let waited = 0; waited < GRACE_MS && isTreeAlive(pid, this.#others); waited += LOOK_MS)
      await clock.sleep(LOOK_MS);
    this.#others = [...this.#others, ...processesBelow(pid)];
    this.#signal('SIGKILL');
    // A process that has left the tree may still hold them open.
    setTimeout(() => (this.#child.stdout?.destroy(), this.#child.stderr?.destroy()), GRACE_MS / 4).unref();
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#child.pid !== undefined) signalTree(this.#child.pid, this.#others, signal);
  }
}

function numberOf(signal: string | null): { signal_number?: number } {
  const number = signal === null ? undefined : whenNeeded.os.constants.signals[signal as NodeJS.Signals];
  return number === undefined ? {} : { signal_number: number };
}

/** Keeps the first `limit` bytes of a stream and reads on, so that the writer never blocks. */
function collect(child: ChildProcess, name: Output, limit: number): () => Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  child[name]?.on('data', (chunk: Uint8Array) => {
    if (size >= limit) return;
    chunks.push(chunk.subarray(0, limit - size));
    size += chunk.length;
  });
  return () => new Uint8Array(Buffer.concat(chunks));
}
