import { Worker } from 'node:worker_threads';

import { serve, type Message, type Task } from './in-thread.ts';

/** Bytes of input that are handed over at once. */
const INPUT = 1024 * 1024;

/**
 * A thread needs no file of its own: it gets the text of what it runs, so that it works the same in a compiled program.
 * It does not get the switches that Node was started with.
 */
const script = `
const { parentPort, workerData } = require('node:worker_threads');
const { readSync } = require('node:fs');
(${serve.toString()})(workerData, { post: (message) => parentPort.postMessage(message), load: require, readSync });
`;

export interface Outcome {
  code: number;
  lines: readonly string[];
  errors: readonly string[];
}

export type Job = Pick<Task, 'module' | 'args' | 'archive' | 'output'> & {
  readonly input?: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
};

/** Runs 7-Zip in a thread; yields what it puts out, at last what it said. Whoever stops reading ends the thread. */
export async function* inThread({ input, signal, ...task }: Job): AsyncGenerator<Uint8Array, Outcome> {
  signal.throwIfAborted();
  const control = new Int32Array(new SharedArrayBuffer(12));
  const shared = new Uint8Array(new SharedArrayBuffer(INPUT));
  const feed = new Feed(input, control, shared);
  const worker = new Worker(script, { eval: true, execArgv: [], workerData: { ...task, control, input: shared } });
  const inbox = new Inbox(worker, signal);
  try {
    for (;;) {
      const message = await inbox.next();
      if (message.kind === 'more') await feed.more();
      else if (message.kind === 'done') return message;
      else {
        yield message.bytes;
        Atomics.sub(control, 0, 1);
        Atomics.notify(control, 0);
      }
    }
  } finally {
    inbox.close();
    await worker.terminate();
    await feed.close();
  }
}

/** Messages in their order; an error of the thread and the signal end the waiting. */
class Inbox {
  readonly #messages: Message[] = [];
  readonly #close: () => void;
  #error: unknown;
  #wake: () => void = () => undefined;

  constructor(worker: Worker, signal: AbortSignal) {
    const fail = (error: unknown): void => {
      this.#error ??= error;
      this.#wake();
    };
    const stop = (): void => fail(signal.reason);
    signal.addEventListener('abort', stop);
    this.#close = () => signal.removeEventListener('abort', stop);
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('the thread ended by itself')));
    worker.on('message', (message: Message) => {
      this.#messages.push(message);
      this.#wake();
    });
  }

  async next(): Promise<Message> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      if (this.#error !== undefined) throw this.#error as Error;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  close(): void {
    this.#close();
  }
}

/** Input for a thread that waits for it. */
class Feed {
  readonly #chunks: AsyncIterator<Uint8Array> | undefined;
  readonly #control: Int32Array;
  readonly #shared: Uint8Array;
  #rest: Uint8Array = new Uint8Array();

  constructor(input: AsyncIterable<Uint8Array> | undefined, control: Int32Array, shared: Uint8Array) {
    this.#chunks = input?.[Symbol.asyncIterator]();
    this.#control = control;
    this.#shared = shared;
  }

  async more(): Promise<void> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks?.next();
      if (next === undefined || next.done === true) return this.#hand(2);
      this.#rest = next.value;
    }
    const piece = this.#rest.subarray(0, this.#shared.length);
    this.#rest = this.#rest.subarray(piece.length);
    this.#shared.set(piece);
    Atomics.store(this.#control, 2, piece.length);
    this.#hand(1);
  }

  async close(): Promise<void> {
    await this.#chunks?.return?.();
  }

  #hand(state: 1 | 2): void {
    Atomics.store(this.#control, 1, state);
    Atomics.notify(this.#control, 1);
  }
}
