import type { PortContext } from '#runtime/kernel/ports.ts';

import { checkHop } from './check-hop.ts';
import { classify } from './classify.ts';
import { joinHeaders } from './headers.ts';
import type { Hop } from './hop.ts';
import { wayOut } from './connection-pools.ts';
import type { ConnectionPools } from './connection-pools.ts';
import { nextHop } from './next-hop.ts';
import type { HttpHop, HttpStream, SentRequest, StreamRequest } from './port.ts';
import { chooseProxy, withoutLogin } from './proxy.ts';
import { Receiver, type Head } from './receiver.ts';
import { StreamDeadline } from './stream-deadline.ts';
import { unpackStream } from './unpack-stream.ts';

interface Current {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: SentRequest['body'] | undefined;
}

interface Received {
  readonly receiver: Receiver;
  readonly head: Head;
  readonly sent: SentRequest;
  /** Makes an error of ours of the one that broke off this request. */
  readonly explain: (error: unknown) => unknown;
}

/** Sends a request and follows where it is redirected, until the head of the last answer is there. */
export async function receive(
  context: PortContext,
  pools: ConnectionPools,
  request: StreamRequest,
): Promise<HttpStream> {
  const history: HttpHop[] = [];
  const deadline = new StreamDeadline(
    context.host.clock,
    { total_ms: request.timeout_ms, told_ms: request.timeout_of_ms ?? request.timeout_ms, idle_ms: request.idle_ms },
    request.signal,
  );
  const chain = {
    method: request.method,
    url: request.url,
    follow: request.follow && !request.upload,
    checked: request.checked,
    redirect_headers: request.redirect_headers,
    limit: request.redirects ?? 20,
  };
  let current: Current = request;
  let crossed = false;
  let received: Received | undefined;
  try {
    for (;;) {
      received = await exchange(context, pools, { request, current, crossed, deadline });
      const { status, reason } = received.head;
      const headers = joinHeaders(received.head.headers);
      const next = nextHop(chain, current, { status, location: headers['location'] }, history.length);
      if (!next) return streamOf(received, deadline, { status, reason, headers, history });
      received.receiver.stop(new Error('redirected'));
      history.push({ status, reason, headers, request: received.sent });
      crossed ||= next.crossed;
      current = next;
    }
  } catch (error) {
    received?.receiver.stop(error);
    deadline.close();
    throw error;
  }
}

async function exchange(
  context: PortContext,
  pools: ConnectionPools,
  {
    request,
    current,
    crossed,
    deadline,
  }: {
    readonly request: StreamRequest;
    readonly current: Current;
    readonly crossed: boolean;
    readonly deadline: StreamDeadline;
  },
): Promise<Received> {
  const { method, url, headers, body } = current;
  const way = wayOut(request, crossed);
  const isDirect = request.checked === true || way.unix_socket !== undefined;
  const proxy = isDirect ? undefined : chooseProxy(url, request.proxies, context.host.env);
  const about = { method, url: url.href, limit: 0, proxy: proxy && withoutLogin(proxy.href) };
  const explain = (error: unknown): unknown => classify(error, about);
  try {
    if (request.checked)
      pools.pin(url.hostname, await checkHop(await context.port('outbound'), url, deadline, request.allow_private));
    const { upload } = request;
    const hop: Hop = { method, url, headers, body: body ?? null, ...(upload && { upload }) };
    const receiver = new Receiver(await pools.get(way, proxy), hop, deadline);
    return {
      receiver,
      head: await receiver.head,
      explain,
      sent: { method, url: url.href, headers, ...(body === undefined ? {} : { body }) },
    };
  } catch (error) {
    throw explain(error);
  }
}

function streamOf(
  { receiver, sent, explain }: Received,
  deadline: StreamDeadline,
  head: Pick<HttpStream, 'status' | 'reason' | 'headers' | 'history'>,
): HttpStream {
  const close = (): void => {
    receiver.stop(new Error('closed'));
    deadline.close();
  };
  return {
    ...head,
    request: sent,
    close,
    async *body({ packed = false } = {}) {
      const coding = head.headers['content-encoding'];
      try {
        yield* packed || coding === undefined ? receiver.body() : unpackStream(receiver.body(), coding);
      } catch (error) {
        throw explain(error);
      } finally {
        close();
      }
    },
  };
}
