import type { PortContext, Ports, Provider } from '#runtime/kernel/ports.ts';
import { HTTP_BODY_BYTES, HTTP_REDIRECTS } from '#schemas/generated/settings.ts';
import type { KeptCookie } from '#schemas/types/kept-cookie.ts';

import type { BodyFile } from './body-file.ts';
import { checkHop } from './check-hop.ts';
import { classify } from './classify.ts';
import { Deadline } from './deadline.ts';
import { cookieHeader, joinHeaders, parseSetCookie } from './headers.ts';
import { HopError, sendHop } from './hop.ts';
import type { Answered, Hop, RawAnswer } from './hop.ts';
import type { ConnectionPool } from './connection-pool.ts';
import { ConnectionPools, wayOut } from './connection-pools.ts';
import { nextHop } from './next-hop.ts';
import type {
  DigestLogin,
  HttpAnswer,
  HttpHop,
  HttpPort,
  HttpRace,
  HttpRequest,
  HttpStream,
  SentRequest,
  StreamRequest,
} from './port.ts';
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

/** State of one chain of requests. */
interface Journey {
  readonly request: HttpRequest & Pick<Current, 'file'>;
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
  readonly file?: BodyFile | undefined;
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
  readonly #pools: ConnectionPools;
  readonly #bodyLimit: number;
  readonly #redirectLimit: number;
  #session: Promise<Jar> | undefined;

  constructor(context: PortContext) {
    this.#context = context;
    this.#pools = new ConnectionPools(context);
    this.#bodyLimit = context.settings.limits?.http_body_bytes ?? HTTP_BODY_BYTES;
    this.#redirectLimit = context.settings.limits?.http_redirects ?? HTTP_REDIRECTS;
  }

  async send(given: HttpRequest): Promise<HttpAnswer> {
    // Where nothing has to be waited for, the request is on its way when this yields.
    const guarded = this.#guarded(given);
    const isReady = guarded.form === undefined && guarded.body_file === undefined;
    const request = isReady ? guarded : await this.#withFile(await this.#withForm(guarded));
    const { clock } = this.#context.host;
    const startedAt = clock.now();
    const begun = clock.monotonic();
    const deadline = new Deadline(clock, request.timeout_ms, request.signal, request.phases_ms);
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
    return await (await import('./receive.ts')).receive(this.#context, this.#pools, this.#guarded(request));
  }

  async race(given: readonly [HttpRequest, ...HttpRequest[]]): Promise<HttpRace> {
    const [first, ...others] = given.map((request) => this.#guarded(request));
    if (!first) throw new Error('a race without requests');
    const jar = given.some(({ session }) => session) ? await this.#sessionJar() : undefined;
    const withCookies = ({ cookies, ...request }: HttpRequest): HttpRequest => {
      const kept = request.session ? jar?.cookiesFor(request.url.href) : undefined;
      const cookie = cookieHeader(kept, request.headers['cookie'], cookies);
      return cookie === undefined ? request : { ...request, headers: { ...request.headers, cookie } };
    };
    const { race } = await import('./race.ts');
    const bodies = new Map<HttpRequest, Promise<HttpRequest>>();
    const ready = async (request: HttpRequest): Promise<HttpRequest> => {
      const body = bodies.get(request) ?? this.#withBytes(request);
      bodies.set(request, body);
      return await this.#challenged(withCookies(await body));
    };
    const [lead, ...rest] = await Promise.all([ready(first), ...others.map(ready)]);
    return await race(this.#context, this.#pools, [lead, ...rest], this.#bodyLimit);
  }

  async cookies(): Promise<readonly KeptCookie[]> {
    return (await this.#session)?.all() ?? [];
  }

  async replaceCookies(cookies: readonly KeptCookie[]): Promise<void> {
    const jar = (await this.#context.port('cookies')).open();
    for (const cookie of cookies) jar.put(cookie);
    this.#session = Promise.resolve(jar);
  }

  /** A request that answers the Digest challenge of a request before it, which has neither its login nor its body. */
  async #challenged(request: HttpRequest): Promise<HttpRequest> {
    const { digest: login, body, ...asking } = request;
    if (!login) return request;
    const { status, headers } = await this.send({ ...asking, follow: false });
    const { digestAuthorization } = await import('#grammar/http/digest.ts');
    const target = request.url.pathname + request.url.search;
    const { hash } = await import('./hash.ts');
    const cnonce = this.#context.host.random.uuid();
    const answering = { method: request.method, target, body, login, cnonce, hash };
    const authorization =
      status === 401 ? digestAuthorization(headers['www-authenticate'] ?? '', answering) : undefined;
    return authorization === undefined ? request : { ...request, headers: { ...request.headers, authorization } };
  }

  /** The request, checked in any case where private places are denied. */
  #guarded<Request extends Pick<HttpRequest, 'checked'>>(request: Request): Request {
    return this.#context.isDenied('private') ? { ...request, checked: true } : request;
  }

  /** A form is encoded when it is sent: nobody else pays for it. */
  async #withForm(request: HttpRequest): Promise<HttpRequest> {
    if (!request.form) return request;
    const { multipart } = await import('./multipart.ts');
    const { body, type } = await multipart(request.form, this.#context);
    const { form: _form, ...rest } = request;
    return { ...rest, body, headers: { ...request.headers, 'content-type': type } };
  }

  /** A file as the body, which is not held as a whole. */
  async #withFile(request: HttpRequest): Promise<Journey['request']> {
    const { body_file: path, body: _body, ...rest } = request;
    if (path === undefined) return request;
    const file = await (await import('./body-file.ts')).bodyFile(path, this.#context, request.signal);
    return { ...rest, file, headers: { ...request.headers, 'content-length': String(file.size) } };
  }

  /** A request with its whole body, for one that leaves at the same moment as others. */
  async #withBytes(request: HttpRequest): Promise<HttpRequest> {
    const { body_file: path, ...rest } = await this.#withForm(request);
    if (path === undefined) return rest;
    return { ...rest, body: await (await import('./body-file.ts')).bodyBytes(path, this.#context) };
  }

  /** The session's cookies go back to those of now. */
  async save(): Promise<() => void> {
    const kept = (await this.#session)?.copy();
    return () => {
      this.#session = kept && Promise.resolve(kept.copy());
    };
  }

  async close(): Promise<void> {
    await this.#pools.close();
  }

  /** Sends, and again where the answer redirects and the request wants that. */
  async #follow(journey: Journey): Promise<Exchanged & { readonly total: number }> {
    const { request, history } = journey;
    let current: Current = request;
    for (;;) {
      const begun = this.#context.host.clock.monotonic();
      const exchanged = await this.#authorized(journey, current);
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

  /** Sends, and again where a Digest challenge can be answered; a third time where only the nonce was too old. */
  #authorized(journey: Journey, current: Current): Promise<Exchanged> {
    const { digest: login } = journey.request;
    return login ? this.#challengedOnce(login, journey, current) : this.#exchange(journey, current);
  }

  async #challengedOnce(login: DigestLogin, journey: Journey, current: Current): Promise<Exchanged> {
    let exchanged = await this.#exchange(journey, current);
    if (journey.crossed) return exchanged;
    const { digestAuthorization, isStale } = await import('#grammar/http/digest.ts');
    const { method, url, body, file } = current;
    const { hash } = await import('./hash.ts');
    const answering = { method, target: url.pathname + url.search, body: file ? null : body, login, hash };
    for (let tries = 0; exchanged.raw.status === 401; tries++) {
      const challenges = exchanged.headers['www-authenticate'] ?? '';
      if (tries > 1 || (tries === 1 && !isStale(challenges))) return exchanged;
      const cnonce = this.#context.host.random.uuid();
      const authorization = digestAuthorization(challenges, { ...answering, cnonce });
      if (authorization === undefined) return exchanged;
      exchanged = await this.#exchange(journey, { ...current, headers: { ...current.headers, authorization } });
    }
    return exchanged;
  }

  async #exchange(journey: Journey, current: Current): Promise<Exchanged> {
    const { request } = journey;
    const way = wayOut(request, journey.crossed);
    const isDirect = request.checked === true || way.unix_socket !== undefined;
    const proxy = isDirect ? undefined : chooseProxy(current.url, request.proxies, this.#context.host.env);
    const found = this.#pools.get(way, proxy);
    const pool = found instanceof Promise ? await found : found;
    const cookie = cookieHeader(journey.jar?.cookiesFor(current.url.href), current.headers['cookie'], journey.cookies);
    const sentHeaders = cookie === undefined ? current.headers : { ...current.headers, cookie };
    const { method, url: target, body: sentBody, file } = current;
    const hop = (): Hop => ({
      method,
      url: target,
      headers: sentHeaders,
      body: sentBody ?? null,
      ...(file && { upload: file.pieces() }),
    });
    const url = current.url.href;
    let answered: Answered | undefined;
    try {
      if (request.checked) {
        journey.deadline.enter('dns');
        this.#pools.pin(
          current.url.hostname,
          await checkHop(await this.#context.port('outbound'), current.url, journey.deadline, request.allow_private),
        );
      }
      const raw = await this.#sendTwice(pool, hop, journey.deadline);
      answered = { status: raw.status, received: raw.body.length };
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
      throw classify(error, { method: current.method, url, limit: this.#bodyLimit, proxy: proxyName, answered });
    }
  }

  /**
   * A server may close an idle connection in the moment in which it is used again. That says nothing about the request:
   * it is sent once more, if it may be.
   */
  async #sendTwice(pool: ConnectionPool, hop: () => Hop, deadline: Deadline): Promise<RawAnswer> {
    const now = (): number => this.#context.host.clock.monotonic();
    const first = hop();
    try {
      return await sendHop(pool, first, this.#bodyLimit, deadline, now);
    } catch (error) {
      const repeatable = first.method !== 'POST' && first.method !== 'PATCH';
      if (!(error instanceof HopError) || !error.stale || !repeatable || deadline.isOver) throw error;
      return await sendHop(pool, hop(), this.#bodyLimit, deadline, now);
    }
  }

  /** Stores the cookies of an answer. Without a session they live as long as the chain of redirects. */
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
