import { Failure } from '#schemas/types/failure.ts';
import { command } from '#stdlib/command.ts';

import { readHeaders, secretsIn } from '#stdlib/http/headers.ts';
import { resolveAddress } from '#stdlib/http/address.ts';
import { readEvents, type SentEvent, type StreamPosition } from './read-events.ts';
import { streamed } from './streamed.ts';

/** Until a lost stream is opened again, in milliseconds, unless the server says otherwise. */
const RETRY_MS = 1000;

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
    const events: SentEvent[] = [];
    const totalMs = params.total_timeout * 1000;
    const deadline = ctx.clock.monotonic() + totalMs;
    const state: StreamPosition = { lastId: '', retryMs: RETRY_MS };
    for (let attempt = 0; ; attempt++) {
      const left = deadline - ctx.clock.monotonic();
      if (left <= 0) break;
      const request = { url: address, headers, idleMs: params.timeout * 1000, leftMs: left, totalMs };
      try {
        for await (const event of readEvents(request, state, ctx)) {
          events.push(event);
          if (events.length >= params.max_events) break;
        }
      } catch (error) {
        if (attempt >= params.reconnect || !state.hasBegun || !isLost(error)) throw error;
      }
      if (events.length >= params.max_events || attempt >= params.reconnect || state.isOver) break;
      // A stream that may be opened again after the deadline only has ended.
      if (ctx.clock.monotonic() + state.retryMs >= deadline) break;
      await ctx.clock.sleep(state.retryMs, ctx.signal);
    }
    return { events };
  });
});

/** The connection broke off, or the server that had it is not back yet: no answer that says something else. */
function isLost(error: unknown): boolean {
  return error instanceof Failure && (error.facts.code === 'SVC83008' || error.facts.code === 'SVC83006');
}
