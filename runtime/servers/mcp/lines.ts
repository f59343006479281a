import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';

import type { MakeServer } from './server.ts';

/** Longest line that is read. */
const MOST_BYTES = 10 * 1024 * 1024;

export interface Streams {
  readonly input: AsyncIterable<Uint8Array | string>;
  write(line: string): void;
}

/** Serves tools over lines until the input has ended and all that it asked for is answered, or `close` is called. */
export async function serveLines(
  make: MakeServer,
  streams: Streams,
): Promise<{ readonly ended: Promise<void>; close(): Promise<void> }> {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const transport = new LineTransport(streams);
  const handle = serveStdio(make, { transport });
  return { ended: transport.ended, close: () => handle.close() };
}

/**
 * One message a line. A line that is no JSON, or no message, gets the error of JSON-RPC that says so, where the SDK's
 * own transport passes over it; blank lines are skipped.
 */
class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #streams: Streams;
  readonly #ended = Promise.withResolvers<void>();
  /** Requests without an answer. */
  readonly #asked = new Set<string | number>();
  #allAnswered: (() => void) | undefined;
  #isClosed = false;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** Resolves when the input has ended, or the server has closed the connection. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  start(): Promise<void> {
    void this.#read()
      .catch((error: unknown) => this.onerror?.(error as Error))
      .finally(() => void this.close());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!this.#isClosed) this.#streams.write(`${JSON.stringify(message)}\n`);
    if (!('method' in message) && message.id !== undefined) this.#forget(message.id);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.onclose?.();
      this.#allAnswered?.();
      this.#ended.resolve();
    }
    return Promise.resolve();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let pieces: string[] = [];
    let size = 0;
    for await (const chunk of this.#streams.input) {
      if (this.#isClosed) return;
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      const [first = '', ...rest] = text.split('\n');
      pieces.push(first);
      size += first.length;
      for (const next of rest) {
        this.#line(pieces.join(''));
        pieces = [next];
        size = next.length;
      }
      if (size > MOST_BYTES) {
        this.#refuse(-32600, 'a message is longer than 10 MiB');
        return;
      }
    }
    this.#line(pieces.join(''));
    if (this.#asked.size > 0) await new Promise<void>((resolve) => (this.#allAnswered = resolve));
  }

  /** A request that is answered, or was cancelled and gets no answer. */
  #forget(id: string | number): void {
    this.#asked.delete(id);
    if (this.#asked.size === 0) this.#allAnswered?.();
  }

  #line(line: string): void {
    if (line.trim() === '') return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#refuse(-32700, 'the line is not JSON');
      return;
    }
    if (!isMessage(message)) {
      this.#refuse(-32600, 'the line is no message of JSON-RPC 2.0');
      return;
    }
    if ('method' in message && 'id' in message) this.#asked.add(message.id);
    this.onmessage?.(message);
    if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.#forget(id);
    }
  }

  #refuse(code: number, message: string): void {
    this.#streams.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`);
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { jsonrpc, method, id, result, error, params } = value as Readonly<Record<string, unknown>>;
  if (jsonrpc !== '2.0' || (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id))) return false;
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params))) return false;
  return typeof method === 'string' || (id !== undefined && (result !== undefined || error !== undefined));
}
