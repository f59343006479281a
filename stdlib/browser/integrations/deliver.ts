import { waitOf } from '#grammar/http/retry-after.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';

export type ServiceContext = Base & Pick<Ports, 'http' | 'clock'>;

/** A service with a login, as messages name it. */
export interface Service {
  readonly name: string;
  readonly authorization: string;
  /** For each request, in milliseconds. */
  readonly timeout_ms: number;
}

export interface Delivery {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly body?: string;
  /** For messages: `file an issue`. */
  readonly what: string;
  /** Statuses that say that nothing was done yet, beside 429. */
  readonly busy?: readonly number[];
  /**
   * Looks whether a request was carried out whose answer was lost; undefined: it was not. Absent: the request changes
   * nothing and can be sent again.
   */
  readonly look?: () => Promise<Json | undefined>;
}

/** Most times that one request is sent. */
const TRIES = 4;
/** Longest wait that a server may ask for (ms). */
const LONGEST_WAIT = 60_000;
const LONGEST_ANSWER = 200;

/** The value of a header that logs in by name and key; what it holds is masked. */
export function basicLogin(user: string, key: string, ctx: Base): string {
  const token = Buffer.from(`${user}:${key}`, 'utf8').toString('base64');
  ctx.mask(token);
  return `Basic ${token}`;
}

/** The address of a service without slashes at its end, and a path below it. */
export function serviceUrl(base: string, path: string): URL {
  const url = URL.parse(`${base.replace(/\/+$/, '')}${path}`);
  if (!url || url.username !== '' || url.password !== '') throw fail.httpAddress({ url: '***' });
  return url;
}

type Tried =
  | { readonly kind: 'done'; readonly json: Json }
  /** Not carried out; to be sent again after a wait (ms). */
  | { readonly kind: 'busy'; readonly wait?: number; readonly reason: string }
  /** The answer was lost, or the server broke on the way. */
  | { readonly kind: 'unsure'; readonly wait?: number; readonly reason: string };

/**
 * Sends a request until a server has taken it: again where it was put off, and where its outcome is unknown only when a
 * look has shown that nothing was done. So nothing is there twice, and nothing is lost without a word.
 */
export async function deliver(delivery: Delivery, service: Service, ctx: ServiceContext): Promise<Json> {
  let reason = '';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const tried = await send(delivery, service, ctx);
    if (tried.kind === 'done') return tried.json;
    ({ reason } = tried);
    const wait = tried.wait ?? 250 * 2 ** attempt;
    if (wait > LONGEST_WAIT) break;
    if (attempt < TRIES || tried.kind === 'unsure') await ctx.clock.sleep(wait, ctx.signal);
    if (tried.kind === 'busy') continue;
    const found = await looked(delivery, reason, service);
    if (found !== undefined) return found;
  }
  throw fail.serviceBusy({ service: service.name, what: delivery.what, tries: TRIES, reason });
}

async function looked({ look, what }: Delivery, reason: string, { name }: Service): Promise<Json | undefined> {
  try {
    return await look?.();
  } catch (cause) {
    throw fail.serviceUnsure({ service: name, what, reason, cause });
  }
}

async function send(
  { method, url, body, what, busy = [] }: Delivery,
  { name, authorization, timeout_ms }: Service,
  ctx: ServiceContext,
): Promise<Tried> {
  let answer;
  try {
    answer = await ctx.http.send({
      method,
      url,
      checked: true,
      headers: {
        authorization,
        accept: 'application/json',
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body }),
      timeout_ms,
      signal: ctx.signal,
    });
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!isLost(error)) throw error;
    return { kind: 'unsure', reason: error instanceof Error ? error.message : String(error) };
  }
  const text = new TextDecoder().decode(answer.body);
  const { status } = answer;
  const shown = ctx.excerpt(text.trim().replace(/\s+/g, ' '), LONGEST_ANSWER);
  const reason = `status ${status}${shown === '' ? '' : `, ${shown}`}`;
  const after = answer.headers['retry-after'];
  const wait = after === undefined ? undefined : waitOf(after, ctx.clock.now());
  const later = wait === undefined ? {} : { wait };
  if (status === 429 || busy.includes(status)) return { kind: 'busy', reason, ...later };
  if (status >= 500) return { kind: 'unsure', reason, ...later };
  if (status >= 300) throw fail.serviceRefused({ service: name, what, status, answer: shown });
  if (text.trim() === '') return { kind: 'done', json: {} };
  const parsed = parseJson(text);
  return 'json' in parsed ? { kind: 'done', json: parsed.json } : { kind: 'unsure', reason: `the answer is no JSON` };
}

/**
 * Whether a request may have arrived although no answer came. Gates, addresses and certificates are looked at before it
 * is sent.
 */
function isLost(error: unknown): boolean {
  const kinds: readonly string[] = error instanceof Error && 'facts' in error ? kindsOf(error.facts) : [];
  return kinds.includes('network') || kinds.includes('timeout');
}

function kindsOf(facts: unknown): readonly string[] {
  return typeof facts === 'object' && facts !== null && 'kinds' in facts && Array.isArray(facts.kinds)
    ? (facts.kinds as readonly string[])
    : [];
}
