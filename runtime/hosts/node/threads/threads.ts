import type { Worker } from 'node:worker_threads';

import { whenNeeded } from '../when-needed.ts';

/**
 * Threads that do one kind of work, for what would hold everything else up. They start when they are needed, as many as
 * the machine can run at once and no more; the last one waits for more work without keeping the process alive.
 *
 * The text of a thread stands for itself, so that it runs from sources, from a bundle and in a program of one file: it
 * answers each message of `parentPort` with one message.
 */
export class Threads<Job, Outcome> {
  readonly #text: () => string;
  readonly #waiting: (() => void)[] = [];
  #busy = 0;
  #idle: Worker | undefined;

  constructor(text: () => string) {
    this.#text = text;
  }

  /** Rejects with the signal's reason when it is aborted, and ends the thread then. */
  async run(job: Job, signal?: AbortSignal): Promise<Outcome> {
    if (this.#busy >= whenNeeded.os.availableParallelism())
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#busy += 1;
    try {
      signal?.throwIfAborted();
      return await this.#runOn(this.#take(), job, signal);
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  #take(): Worker {
    const worker = this.#idle ?? new whenNeeded.threads.Worker(this.#text(), { eval: true, execArgv: [], env: {} });
    this.#idle = undefined;
    return worker;
  }

  async #runOn(worker: Worker, job: Job, signal: AbortSignal | undefined): Promise<Outcome> {
    const outcome = Promise.withResolvers<Outcome>();
    const stop = (): void => outcome.reject(signal?.reason);
    const ended = (code: number): void => outcome.reject(new Error(`a thread ended with ${code}`));
    signal?.addEventListener('abort', stop, { once: true });
    worker.once('message', outcome.resolve).once('error', outcome.reject).once('exit', ended).ref();
    worker.postMessage(job);
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
    if (this.#idle !== undefined) return void worker.terminate();
    worker.unref();
    this.#idle = worker;
  }
}
