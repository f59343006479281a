import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { takeLogin } from '#stdlib/http/address.ts';
import { readHeaders, secretsIn } from '#stdlib/http/headers.ts';
import { streamed } from './streamed.ts';

export const AT_test_api_method_websocket = command('AT_test_api_method_websocket', async (params, ctx) => {
  const { url, messages, expected_replies: expected, timeout } = params;
  const address = URL.parse(url);
  if (!address) throw fail.httpAddress({ url });
  const login = takeLogin(address);
  const headers = {
    ...(login ? { authorization: `Basic ${Buffer.from(login.join(':')).toString('base64')}` } : {}),
    ...readHeaders(params.headers),
  };
  for (const secret of secretsIn(headers)) ctx.mask(secret);
  const call = { url, messages: messages ?? [], expected_replies: expected };
  const kept = { protocol: 'websocket', method: 'GET', url, call, keep: params.record_request_info } as const;
  return await streamed(kept, ctx, async () => {
    const connection = await ctx.webSocket.connect({
      url: address,
      headers,
      ...(params.subprotocols ? { protocols: params.subprotocols } : {}),
      verify: params.verify,
      timeout_ms: timeout * 1000,
      signal: ctx.signal,
    });
    try {
      for (const message of messages ?? []) await connection.send(message, timeout * 1000);
      const received: string[] = [];
      while (received.length < expected) {
        const message = await connection.next(timeout * 1000).catch((error: unknown) => {
          ctx.signal.throwIfAborted();
          throw fail.websocketReplies({ url, received: received.length, expected, actual: received, cause: error });
        });
        if (!message)
          throw fail.websocketReplies({
            url,
            received: received.length,
            expected,
            actual: received,
            cause: new Error(connection.ending),
          });
        received.push(
          message.kind === 'text' ? message.text : `data:;base64,${Buffer.from(message.bytes).toString('base64')}`,
        );
      }
      return { messages_sent: [...(messages ?? [])], messages_received: received };
    } finally {
      await connection.close();
    }
  });
});
