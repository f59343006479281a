import type { Readable } from 'node:stream';

import type { Dispatcher } from 'undici';

import type { Stage } from './deadline.ts';
import { HopError, type Hop, type RawAnswer } from './hop.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { StreamDeadline } from './stream-deadline.ts';

/** Bytes that may lie here unread before the server has to wait. */
const held = 256 * 1024;

export type Head = Pick<RawAnswer, 'status' | 'reason' | 'headers'>;

/** Takes one answer as it comes: its head at once, its body in pieces, the server waiting while nobody reads. */
export class Receiver implements Dispatcher.DispatchHandler {
  readonly head: Promise<Head>;
  readonly #deadline: StreamDeadline;
  #settleHead: (head: Head) => void = () => undefined;
  #refuseHead: (error: HopError) => void = () => undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #stage: Stage = 'connect';
  #chunks: Uint8Array[] = [];
  #size = 0;
  #ended = false;
  #error: HopError | undefined;
  #wake: () => void = () => undefined;

  constructor(pool: ConnectionPool, { method, url, headers, body, upload }: Hop, deadline: StreamDeadline) {
    this.#deadline = deadline;
    this.head = new Promise((resolve, reject) => {
      this.#settleHead = resolve;
      this.#refuseHead = reject;
    });
    deadline.wait((reason) => this.stop(reason));
    if (deadline.isOver) return;
    try {
      pool.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers,
          // It takes any iterable, which its type does not say.
          body: upload ? (this.#sent(upload) as unknown as Readable) : body === null ? null : Buffer.from(body),
        },
        this,
      );
    } catch (error) {
      this.stop(error);
    }
  }

  /** The pieces of the body in order; what has come is given before the failure that ended it. */
  async *body(): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift();
        if (chunk) {
          this.#release(chunk);
          yield chunk;
        } else if (this.#error) throw this.#error;
        else if (this.#ended) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.stop(new Error('closed'));
    }
  }

  stop(cause: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#deadline.leave();
    this.#error = new HopError(cause, this.#stage, false);
    this.#controller?.abort(cause instanceof Error ? cause : new Error('stopped', { cause }));
    this.#refuseHead(this.#error);
    this.#wake();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) return controller.abort(new Error('stopped'));
    this.#stage = 'answer';
    this.#deadline.touch();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: RawAnswer['headers'],
    reason?: string,
  ): void {
    if (status < 200 || this.#ended) return;
    this.#stage = 'body';
    this.#deadline.touch();
    this.#settleHead({ status, reason: reason ?? '', headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#ended) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < held) this.#deadline.touch();
    else {
      controller.pause();
      this.#deadline.rest();
    }
    this.#wake();
  }

  onResponseEnd(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#deadline.leave();
    this.#wake();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.stop(error);
  }

  /**
   * Pieces of the upload, under the deadline: between two pieces the other side has its time; while ours is
   * being read, nobody waits for it.
   */
  async *#sent(upload: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const isSending = (): boolean => !this.#ended && this.#stage === 'answer';
    if (isSending()) this.#deadline.rest();
    for await (const piece of upload) {
      if (this.#ended) return;
      if (isSending()) this.#deadline.touch();
      yield piece;
      if (isSending()) this.#deadline.rest();
    }
    if (isSending()) this.#deadline.touch();
  }

  #release(chunk: Uint8Array): void {
    this.#size -= chunk.length;
    if (!this.#controller?.paused || this.#size >= held / 2 || this.#ended) return;
    this.#deadline.touch();
    this.#controller.resume();
  }
}
