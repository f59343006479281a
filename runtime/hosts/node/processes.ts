import type { ChildProcess } from 'node:child_process';

import type { ProcessOptions, Processes, ProcessResult } from '#schemas/types/host.ts';

import { clock } from './clock.ts';
import { isTreeAlive, processesBelow, signalTree, type Process } from './process-tree.ts';
import { whenNeeded } from './when-needed.ts';

/** What is kept of each stream when no limit is given. */
const KEPT = 16 * 1024 * 1024;
/** How long a process may take to end by itself after it was asked to. */
const GRACE_MS = 2000;
const LOOK_MS = 20;

/** Starts programs by their path or their name on PATH, never through a shell. */
export function makeProcesses(): Processes {
  const running = new Set<Ending>();
  // Whoever ends this process at once must not leave programs behind.
  const killAll = (): void => running.forEach((ending) => ending.kill());
  return {
    run: async (file, args, options) => {
      const child = start(file, args, options);
      const ending = new Ending(child);
      if (running.size === 0) process.once('exit', killAll);
      running.add(ending);
      try {
        return await resultOf(child, ending, options);
      } finally {
        running.delete(ending);
        if (running.size === 0) process.removeListener('exit', killAll);
      }
    },
  };
}

type Output = 'stdout' | 'stderr';

function start(file: string, args: readonly string[], options: ProcessOptions): ChildProcess {
  options.signal?.throwIfAborted();
  const kept = options.output === 'drop' ? 'ignore' : 'pipe';
  // A group of its own, so that what the program started ends with it.
  return whenNeeded.processes.spawn(file, args, {
    shell: false,
    windowsHide: true,
    detached: process.platform !== 'win32',
    stdio: [options.input === undefined ? 'ignore' : 'pipe', kept, kept],
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.env && { env: { ...options.env } }),
  });
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

  /** Where the end has begun, resolves when nothing of the program is left. */
  async complete(): Promise<void> {
    await this.#begun;
  }

  /** At once, and without waiting. */
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
    // What has left the tree may still hold them open.
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
