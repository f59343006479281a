import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

/** Most characters without an event in between; more is no stream of events. */
const LONGEST_EVENT = 16 * 1024 * 1024;

export interface SentEvent {
  data: string;
  event?: string;
  id?: string;
}

interface EventRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Limit of silence, and of the whole connection, in milliseconds. */
  readonly idleMs: number;
  readonly leftMs: number;
  /** Limit of all connections (ms), of which `leftMs` is what is left; absent: there is but one. */
  readonly totalMs?: number;
}

/** Position in a stream that is opened again when it is lost: id of its last event, and milliseconds until then. */
export interface StreamPosition {
  lastId: string;
  retryMs: number;
  /** A stream of events has begun once: when it is lost, it may be opened again. */
  hasBegun?: boolean;
  /** The server has said that nothing follows (status 204 to a client that came again). */
  isOver?: boolean;
}

/**
 * Events of one connection until it ends; the reader closes it by leaving. Fails where the answer is no stream of
 * events.
 */
export async function* readEvents(
  { url, headers, idleMs, leftMs, totalMs }: EventRequest,
  position: StreamPosition,
  ctx: Base & Pick<Ports, 'http' | 'eventStream'>,
): AsyncGenerator<SentEvent, void> {
  const stream = await ctx.http.receive({
    method: 'GET',
    url,
    headers: { ...headers, ...(position.lastId === '' ? {} : { 'last-event-id': inUtf8(position.lastId) }) },
    idle_ms: idleMs,
    timeout_ms: leftMs,
    ...(totalMs === undefined ? {} : { timeout_of_ms: totalMs }),
    signal: ctx.signal,
    follow: true,
  });
  try {
    if (stream.status === 204 && position.hasBegun) {
      position.isOver = true;
      return;
    }
    const type = (stream.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (stream.status !== 200 || type !== 'text/event-stream')
      throw fail.sseRefused({ url: url.href, status: stream.status, type: type || 'none' });
    position.hasBegun = true;
    // The reader of events takes a byte order mark away: two of them would go.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const come: SentEvent[] = [];
    let silent = 0;
    const reader = ctx.eventStream.reader({
      event: (event) => {
        silent = 0;
        come.push({ ...event });
      },
      position: (id) => {
        position.lastId = id;
      },
      retry: (ms) => {
        position.retryMs = Math.min(ms, 60_000);
      },
    });
    for await (const chunk of stream.body()) {
      silent += chunk.length;
      reader.feed(decoder.decode(chunk, { stream: true }));
      yield* come.splice(0);
      if (silent > LONGEST_EVENT) throw fail.sseEndless({ url: url.href, limit: LONGEST_EVENT });
    }
  } finally {
    stream.close();
  }
}

/** Text for a header that goes out as UTF-8 (HTML standard, section 9.2.3): each byte is a character of the header. */
function inUtf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}
