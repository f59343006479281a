import type { PortContext, Ports, Provider } from '#runtime/kernel/ports.ts';
import { HTTP_BODY_BYTES, HTTP_REDIRECTS } from '#schemas/generated/settings.ts';

import { checkHop } from './check-hop.ts';
import { classify } from './classify.ts';
import { Deadline } from './deadline.ts';
import { cookieHeader, joinHeaders, parseSetCookie } from './headers.ts';
import { HopError, sendHop } from './hop.ts';
import type { Hop, RawAnswer } from './hop.ts';
import type { Lane } from './lane.ts';
import { Lanes, wayOut } from './lanes.ts';
import { nextHop } from './next-hop.ts';
import type { HttpAnswer, HttpHop, HttpPort, HttpRequest, HttpStream, SentRequest, StreamRequest } from './port.ts';
import { chooseProxy, withoutLogin } from './proxy.ts';
import { unpack } from './unpack.ts';

export const provider: Provider<'http'> = {
  open: (context) => {
    const client = new Client(context);
    context.release(() => client.close());
    context.eachRow(() => client.save());
    return client;
  },
};

type Jar = ReturnType<Ports['cookies']['open']>;

/** What one chain of requests carries along. */
interface Journey {
  readonly request: HttpRequest;
  readonly deadline: Deadline;
  readonly history: HttpHop[];
  jar: Jar | undefined;
  /** Meant for the first origin only, and so is the client certificate. */
  cookies: HttpRequest['cookies'];
  /** A redirect has led to another origin. */
  crossed: boolean;
}

interface Current {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: SentRequest['body'] | undefined;
}

/** One request on the wire with its answer, unpacked. */
interface Exchanged {
  readonly raw: RawAnswer;
  readonly sent: SentRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

class Client implements HttpPort {
  readonly #context: PortContext;
  readonly #lanes: Lanes;
  readonly #bodyLimit: number;
  readonly #redirectLimit: number;
  #session: Promise<Jar> | undefined;

  constructor(context: PortContext) {
    this.#context = context;
    this.#lanes = new Lanes(context);
    this.#bodyLimit = context.settings.limits?.http_body_bytes ?? HTTP_BODY_BYTES;
    this.#redirectLimit = context.settings.limits?.http_redirects ?? HTTP_REDIRECTS;
  }

  async send(given: HttpRequest): Promise<HttpAnswer> {
    const request = this.#guarded(given);
    const { clock } = this.#context.host;
    const startedAt = clock.now();
    const begun = clock.monotonic();
    const deadline = new Deadline(clock, request.timeout_ms, request.signal);
    try {
      const jar = request.session ? await this.#sessionJar() : undefined;
      const journey: Journey = { request, deadline, history: [], jar, cookies: request.cookies, crossed: false };
      const { raw, sent, headers, body, total } = await this.#follow(journey);
      return {
        status: raw.status,
        reason: raw.reason,
        headers,
        set_cookies: setCookieLines(raw).map(parseSetCookie),
        body,
        request: sent,
        history: journey.history,
        started_at: startedAt,
        elapsed_ms: clock.monotonic() - begun,
        timings: { ...raw.connecting, first_byte: raw.firstByte, total },
      };
    } finally {
      deadline.close();
    }
  }

  async receive(request: StreamRequest): Promise<HttpStream> {
    return await (await import('./receive.ts')).receive(this.#context, this.#lanes, this.#guarded(request));
  }

  /** Where private places are denied, that holds for every request. */
  #guarded<Request extends Pick<HttpRequest, 'checked'>>(request: Request): Request {
    return this.#context.isDenied('private') ? { ...request, checked: true } : request;
  }

  /** The session's cookies go back to those of now. */
  async save(): Promise<() => void> {
    const kept = (await this.#session)?.copy();
    return () => {
      this.#session = kept && Promise.resolve(kept.copy());
    };
  }

  async close(): Promise<void> {
    await this.#lanes.close();
  }

  /** Sends, and again where the answer redirects and the request wants that. */
  async #follow(journey: Journey): Promise<Exchanged & { readonly total: number }> {
    const { request, history } = journey;
    let current: Current = request;
    for (;;) {
      const begun = this.#context.host.clock.monotonic();
      const exchanged = await this.#exchange(journey, current);
      const { raw, sent, headers } = exchanged;
      const next = nextHop(
        { ...request, limit: this.#redirectLimit },
        current,
        { status: raw.status, location: headers['location'] },
        history.length,
      );
      if (!next) return { ...exchanged, total: this.#context.host.clock.monotonic() - begun };
      history.push({ status: raw.status, reason: raw.reason, headers, request: sent });
      if (next.crossed) {
        journey.cookies = undefined;
        journey.crossed = true;
      }
      current = next;
    }
  }

  async #exchange(journey: Journey, current: Current): Promise<Exchanged> {
    const { request } = journey;
    const proxy = request.checked ? undefined : chooseProxy(current.url, request.proxies, this.#context.host.env);
    const lane = await this.#lanes.get(wayOut(request, journey.crossed), proxy);
    const cookie = cookieHeader(journey.jar?.cookiesFor(current.url.href), current.headers['cookie'], journey.cookies);
    const sentHeaders = cookie === undefined ? current.headers : { ...current.headers, cookie };
    const hop: Hop = { method: current.method, url: current.url, headers: sentHeaders, body: current.body ?? null };
    const url = current.url.href;
    try {
      if (request.checked)
        this.#lanes.pin(
          current.url.hostname,
          await checkHop(await this.#context.port('outbound'), current.url, journey.deadline, request.allow_private),
        );
      const raw = await this.#sendTwice(lane, hop, journey.deadline);
      const headers = joinHeaders(raw.headers);
      await this.#keepCookies(journey, raw, url);
      const coding = headers['content-encoding'];
      const body = coding === undefined ? raw.body : await unpack(raw.body, coding, this.#bodyLimit);
      return {
        raw,
        headers,
        body,
        sent: {
          method: current.method,
          url,
          headers: sentHeaders,
          ...(current.body === undefined ? {} : { body: current.body }),
        },
      };
    } catch (error) {
      const proxyName = proxy && withoutLogin(proxy.href);
      throw classify(error, { method: current.method, url, limit: this.#bodyLimit, proxy: proxyName });
    }
  }

  /** A server may close an idle connection in the moment in which it is used again. That says nothing about the request: it is sent once more, if it may be. */
  async #sendTwice(lane: Lane, hop: Hop, deadline: Deadline): Promise<RawAnswer> {
    const now = (): number => this.#context.host.clock.monotonic();
    try {
      return await sendHop(lane, hop, this.#bodyLimit, deadline, now);
    } catch (error) {
      const repeatable = hop.method !== 'POST' && hop.method !== 'PATCH';
      if (!(error instanceof HopError) || !error.stale || !repeatable || deadline.isOver) throw error;
      return await sendHop(lane, hop, this.#bodyLimit, deadline, now);
    }
  }

  /** Without a session, cookies live as long as the chain of redirects. */
  async #keepCookies(journey: Journey, raw: RawAnswer, url: string): Promise<void> {
    const lines = setCookieLines(raw);
    if (lines.length === 0 || (!journey.jar && !journey.request.follow)) return;
    journey.jar ??= (await this.#context.port('cookies')).open();
    for (const line of lines) journey.jar.store(line, url);
  }

  #sessionJar(): Promise<Jar> {
    this.#session ??= this.#context.port('cookies').then((jars) => jars.open());
    return this.#session;
  }
}

function setCookieLines({ headers }: RawAnswer): readonly string[] {
  const lines = headers['set-cookie'] ?? [];
  return typeof lines === 'string' ? [lines] : lines;
}
