import type { Transferable, Worker } from 'node:worker_threads';

import { whenNeeded } from '../when-needed.ts';

export interface ThreadOptions {
  /** Flags of Node, for what the text imports. */
  readonly flags?: readonly string[];
  /** Most threads at once; absent: as many as the machine can run. */
  readonly most?: number;
}

export interface JobOptions {
  readonly signal?: AbortSignal | undefined;
  /** Parts of the job that are handed over. */
  readonly transfer?: readonly Transferable[];
}

/**
 * Threads that do one kind of work, for what would hold everything else up. They start when they are needed, as many as
 * the machine can run at once and no more; the last one waits for more work without keeping the process alive.
 *
 * The text of a thread stands for itself, so that it runs from sources, from a bundle and in a program of one file: it
 * answers each message of `parentPort` with one message.
 */
export class Threads<Job, Outcome> {
  readonly #text: () => string;
  readonly #options: ThreadOptions;
  #waiting: (() => void)[] = [];
  #busy = 0;
  #isClosed = false;
  #idle: Worker | undefined;

  constructor(text: () => string, options: ThreadOptions = {}) {
    this.#text = text;
    this.#options = options;
  }

  /** Rejects with the signal's reason when it is aborted, and ends the thread then. */
  async run(job: Job, options: JobOptions = {}): Promise<Outcome> {
    const { signal } = options;
    if (this.#busy >= (this.#options.most ?? whenNeeded.os.availableParallelism())) await this.#turn(signal);
    else this.#busy += 1;
    try {
      signal?.throwIfAborted();
      return await this.#runOn(this.#take(), job, options);
    } finally {
      // Whoever waited longest takes the place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#busy -= 1;
    }
  }

  /** Ends the thread that waits for work, with the memory that it holds; the next job starts another. */
  endIdle(): void {
    void this.#idle?.terminate();
    this.#idle = undefined;
  }

  /** Ends the thread that waits for work; those at work end with their jobs. */
  close(): void {
    this.#isClosed = true;
    this.endIdle();
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#waiting = this.#waiting.filter((one) => one !== resolve);
      reject(signal?.reason);
    };
    this.#waiting.push(resolve);
    signal?.addEventListener('abort', leave);
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  #take(): Worker {
    const { flags = [] } = this.#options;
    const worker =
      this.#idle ?? new whenNeeded.threads.Worker(this.#text(), { eval: true, execArgv: [...flags], env: {} });
    this.#idle = undefined;
    return worker;
  }

  async #runOn(worker: Worker, job: Job, { signal, transfer }: JobOptions): Promise<Outcome> {
    const outcome = Promise.withResolvers<Outcome>();
    const stop = (): void => outcome.reject(signal?.reason);
    const ended = (code: number): void => outcome.reject(new Error(`a thread ended with ${code}`));
    signal?.addEventListener('abort', stop, { once: true });
    worker.once('message', outcome.resolve).once('error', outcome.reject).once('exit', ended).ref();
    worker.postMessage(job, transfer);
    try {
      const done = await outcome.promise;
      this.#release(worker);
      return done;
    } catch (error) {
      void worker.terminate();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      worker.off('message', outcome.resolve).off('error', outcome.reject).off('exit', ended);
    }
  }

  #release(worker: Worker): void {
    if (this.#idle !== undefined || this.#isClosed) return void worker.terminate();
    worker.unref();
    this.#idle = worker;
  }
}
