import { inText } from '#runtime/kernel/values/convert.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Names } from '../../look-up.ts';
import type { AnswerPiece, Method, MockAnswer, MockRoute } from './port.ts';
import { templateAnswer } from './template-answer.ts';

/** Event of a stream; `data` is a template, an object or list is sent as JSON. */
export interface StreamEvent {
  readonly data: Json;
  readonly event?: string;
  /** Its position, from 1, where it is left out; empty: none. */
  readonly id?: string;
  /** Time before it is sent, in place of that of the stream. */
  readonly delay_seconds?: number;
}

export interface StreamOptions {
  readonly events: readonly StreamEvent[];
  /** Events after which a connection ends; absent: all. */
  readonly events_per_connection?: number;
  /** Time that clients are told to wait until they connect again. */
  readonly retry_ms?: number;
  /** Time before each event. */
  readonly interval_seconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Streams server-sent events (HTML standard, section 9.2). A request with `Last-Event-ID` gets the events behind that
 * one; behind the last there are none, and status 204 tells clients to stay away.
 */
export function streamRoute(rule: string, methods: readonly Method[], options: StreamOptions, names: Names): MockRoute {
  const { events, events_per_connection: most = events.length, retry_ms: retry, interval_seconds: wait = 0 } = options;
  const ids = events.map(({ id }, index) => id ?? String(index + 1));
  return {
    rule,
    methods,
    answer: (request): MockAnswer => {
      // It comes as UTF-8, which the server of Node shows byte by byte.
      const last = Buffer.from(request.headers['last-event-id'] ?? '', 'latin1').toString();
      const from = last === '' ? 0 : ids.indexOf(last) + 1;
      if (from === events.length) return { status: 204 };
      const pieces = events.slice(from, from + most).map((event, index): AnswerPiece => {
        const { body = '' } = templateAnswer({ body: event.data }, request, names);
        const before = index === 0 && retry !== undefined ? `retry: ${retry}\n` : '';
        return {
          text: before + eventText(event.event, ids[from + index] ?? '', inText(body)),
          wait_ms: (event.delay_seconds ?? wait) * 1000,
        };
      });
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', ...options.headers };
      return { headers, pieces };
    },
  };
}

function eventText(event: string | undefined, id: string, data: string): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${event === undefined ? '' : `event: ${event}\n`}${id === '' ? '' : `id: ${id}\n`}${lines.join('')}\n`;
}
