import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { readHeaders, secretsIn } from '#stdlib/http/headers.ts';
import { resolveAddress } from '#stdlib/http/address.ts';
import { streamed } from './streamed.ts';

/** Without an event in between more text than this is no stream of events. */
const LONGEST_EVENT = 16 * 1024 * 1024;
/** Until a lost stream is opened again, in milliseconds, unless the server says otherwise. */
const RETRY_MS = 1000;

interface Collected {
  data: string;
  event?: string;
  id?: string;
}

export const AT_test_api_method_sse = command('AT_test_api_method_sse', async (params, ctx) => {
  const { url: address, login } = resolveAddress(params.url, ctx.step.baseUrl);
  const headers = {
    'user-agent': 'svc',
    accept: 'text/event-stream',
    'cache-control': 'no-store',
    ...(login ? { authorization: `Basic ${Buffer.from(login.join(':')).toString('base64')}` } : {}),
    ...readHeaders(params.headers),
  };
  for (const secret of secretsIn(headers)) ctx.mask(secret);
  const call = { url: params.url, max_events: params.max_events };
  const kept = { protocol: 'sse', method: 'GET', url: address.href, call, keep: params.record_request_info } as const;
  return await streamed(kept, ctx, async () => {
    const events: Collected[] = [];
    const deadline = ctx.clock.monotonic() + params.total_timeout * 1000;
    const state = { lastId: '', retryMs: RETRY_MS };
    for (let attempt = 0; ; attempt++) {
      const left = deadline - ctx.clock.monotonic();
      if (left <= 0) break;
      await readStream(
        { url: address, headers, most: params.max_events, idleMs: params.timeout * 1000, leftMs: left },
        state,
        events,
        ctx,
      );
      if (events.length >= params.max_events || attempt >= params.reconnect) break;
      await ctx.clock.sleep(state.retryMs, ctx.signal);
    }
    return { events };
  });
});

interface Stream {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly most: number;
  readonly idleMs: number;
  readonly leftMs: number;
}

/** Reads one connection until it ends or there are enough events. */
async function readStream(
  { url, headers, most, idleMs, leftMs }: Stream,
  state: { lastId: string; retryMs: number },
  events: Collected[],
  ctx: Base & Pick<Ports, 'http' | 'eventStream'>,
): Promise<void> {
  const stream = await ctx.http.receive({
    method: 'GET',
    url,
    headers: { ...headers, ...(state.lastId === '' ? {} : { 'last-event-id': state.lastId }) },
    idle_ms: idleMs,
    timeout_ms: leftMs,
    signal: ctx.signal,
    follow: true,
  });
  try {
    const type = (stream.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (stream.status !== 200 || type !== 'text/event-stream')
      throw fail.sseRefused({ url: url.href, status: stream.status, type: type || 'none' });
    const decoder = new TextDecoder();
    let silent = 0;
    const reader = ctx.eventStream.reader({
      event: (event) => {
        silent = 0;
        if (event.id !== undefined) state.lastId = event.id;
        if (events.length < most) events.push({ ...event });
      },
      retry: (ms) => {
        state.retryMs = Math.min(ms, 60_000);
      },
    });
    for await (const chunk of stream.body()) {
      silent += chunk.length;
      reader.feed(decoder.decode(chunk, { stream: true }));
      if (events.length >= most) return;
      if (silent > LONGEST_EVENT) throw fail.sseEndless({ url: url.href, limit: LONGEST_EVENT });
    }
  } finally {
    stream.close();
  }
}
