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
  const [{ serveStdio }, { parseJSONRPCMessage }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('@modelcontextprotocol/server'),
  ]);
  const transport = new LineTransport(streams, parseJSONRPCMessage);
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
  readonly #parse: (value: unknown) => JSONRPCMessage;
  readonly #ended = Promise.withResolvers<void>();
  /** Requests without an answer. */
  readonly #asked = new Set<string | number>();
  #allAnswered: (() => void) | undefined;
  #isClosed = false;

  /** `parse` throws for what the SDK would pass over: its client would wait for ever. */
  constructor(streams: Streams, parse: (value: unknown) => JSONRPCMessage) {
    this.#streams = streams;
    this.#parse = parse;
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
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(-32700, 'the line is not JSON');
      return;
    }
    const message = this.#messageIn(value);
    if (!message) {
      this.#refuse(-32600, 'the line is no message of JSON-RPC 2.0', idOf(value));
      return;
    }
    if ('method' in message && 'id' in message) this.#asked.add(message.id);
    this.onmessage?.(message);
    if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.#forget(id);
    }
  }

  #messageIn(value: unknown): JSONRPCMessage | undefined {
    try {
      return this.#parse(value);
    } catch {
      return undefined;
    }
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#streams.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

/** Id of a request that is no message otherwise; null where it has none that can be answered. */
function idOf(value: unknown): string | number | null {
  if (typeof value !== 'object' || value === null) return null;
  const { jsonrpc, method, id } = value as Readonly<Record<string, unknown>>;
  if (jsonrpc !== '2.0' || typeof method !== 'string') return null;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;
}
