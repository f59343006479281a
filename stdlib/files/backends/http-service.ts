import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

/** A request to a service, and what it is about. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Body for `receive`, read as it is sent. The header `content-length` says its size. */
  readonly upload?: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** Path as users wrote it, for messages. */
  readonly path: string;
  /** Statuses that are no failure, beside 200 to 299. */
  readonly fine?: readonly number[];
  /** Follows redirects, each of them checked; the login stays behind where one leads to another origin. */
  readonly follow?: boolean;
}

export type ServiceAnswer = Awaited<ReturnType<Ports['http']['send']>>;
export type ServiceStream = Awaited<ReturnType<Ports['http']['receive']>>;

export interface ServiceOptions {
  readonly http: Ports['http'];
  readonly place: string;
  /** Time limit (ms) for connecting, and for each silence; a request with a body has more, by its size. */
  readonly timeoutMs: number;
  /** Lets private addresses in where that is not denied. */
  readonly allowPrivate?: boolean;
  /** False: any certificate; text: path of a bundle, or a folder, of trusted authorities. */
  readonly verify?: boolean | string;
  /** Reads the fault that an answer names in its body; shown in messages. */
  readonly explain?: (text: string, headers: Readonly<Record<string, string>>) => Explained;
  /** Makes a failure of what only this service says, before the status decides. */
  readonly judge?: (facts: RefusalFacts) => Failure | undefined;
}

/** A service's own word for what is wrong, and its sentence. */
export interface Explained {
  readonly code?: string;
  readonly message?: string;
}

export interface RefusalFacts {
  readonly status: number;
  readonly code: string;
  readonly reason: string;
  readonly path: string;
  readonly place: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Bytes a second below which sending is given up. */
const SLOWEST = 16 * 1024;
/** The most of a refusal that is read. */
const LONGEST_REFUSAL = 64 * 1024;

/**
 * HTTP services: addresses checked as for downloads, redirects not followed unless asked for, statuses told in our
 * words.
 */
export class HttpService {
  readonly place: string;
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.place = options.place;
  }

  async send(request: ServiceRequest): Promise<ServiceAnswer> {
    const { timeoutMs } = this.#options;
    const size = request.body === undefined ? 0 : request.body.length;
    const answer = await this.#options.http.send({
      ...this.#common(request),
      ...(request.body !== undefined && { body: request.body }),
      timeout_ms: timeoutMs + (size / SLOWEST) * 1000,
    });
    if (!isFine(answer.status, request)) throw this.refusal(request, answer, new TextDecoder().decode(answer.body));
    return answer;
  }

  /** Yields the answer as soon as its head is there; read its body or close it. */
  async receive(request: ServiceRequest): Promise<ServiceStream> {
    const stream = await this.#options.http.receive({
      ...this.#common(request),
      ...(request.body !== undefined && { body: request.body }),
      ...(request.upload && { upload: request.upload }),
      idle_ms: this.#options.timeoutMs,
    });
    if (isFine(stream.status, request)) return stream;
    const text = await beginning(stream);
    throw this.refusal(request, stream, text);
  }

  /** The failure that an answer means. */
  refusal(
    { path }: Pick<ServiceRequest, 'path'>,
    { status, reason, headers }: Pick<ServiceAnswer, 'status' | 'reason' | 'headers'>,
    text: string,
  ): Failure {
    const { code = '', message = '' } = this.#options.explain?.(text, headers) ?? {};
    const told = [
      `${status} ${reason}`.trim(),
      code,
      message
        .replace(/\s+/g, ' ')
        .slice(0, 200)
        .replace(/[. ]+$/, ''),
    ]
      .filter(Boolean)
      .join(', ');
    const facts = { status, code, reason: told, path, place: this.place, headers };
    return this.#options.judge?.(facts) ?? statusFailure(facts);
  }

  #common(request: ServiceRequest) {
    const { allowPrivate = false, verify = true } = this.#options;
    return {
      method: request.method,
      url: request.url,
      headers: { 'user-agent': 'svc', accept: '*/*', 'accept-encoding': 'identity', ...request.headers },
      signal: request.signal,
      checked: true,
      allow_private: allowPrivate,
      verify,
      follow: request.follow === true,
    };
  }
}

function isFine(status: number, { fine = [] }: ServiceRequest): boolean {
  return (status >= 200 && status < 300) || fine.includes(status);
}

/** The text with which an answer begins, as far as a refusal is read; the connection is closed. */
export async function beginning(stream: ServiceStream): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of stream.body()) {
      pieces.push(piece);
      size += piece.length;
      if (size > LONGEST_REFUSAL) break;
    }
  } catch {
    // The status already says what is wrong.
  } finally {
    stream.close();
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/** Failure for a status that means the same everywhere. */
export function statusFailure({ status, reason, path, place, headers }: Omit<RefusalFacts, 'code'>): Failure {
  const about = { place, path, reason };
  if (status === 401) return fail.storageLogin({ place, reason });
  if (status === 403) return fail.storageDenied(about);
  if (status === 404 || status === 410) return fail.storageNotFound(about);
  if (status === 412) return fail.storageExists(about);
  if (status === 507) return fail.storageFull(about);
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const retry_after_ms = retryAfter(headers);
    return fail.storageUnavailable({
      place,
      reason,
      ...(retry_after_ms !== undefined && { result: { retry_after_ms } }),
    });
  }
  return fail.storageRejected(about);
}

/** Time (ms) that Retry-After asks to wait: seconds, or a date beside that of the answer. */
function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const { 'retry-after': after, date } = headers;
  if (after === undefined) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return Number(after) * 1000;
  const [until, now] = [Date.parse(after), Date.parse(date ?? '')];
  return Number.isNaN(until) || Number.isNaN(now) ? undefined : Math.max(0, until - now);
}
