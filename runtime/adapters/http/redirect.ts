import type { BodyFile } from './body-file.ts';
import type { SentRequest } from './port.ts';

/** Parts of the next request of a chain. */
export interface NextRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: SentRequest['body'] | undefined;
  readonly file: BodyFile | undefined;
  /** The origin is another one: what was meant for the first stays behind. */
  readonly crossed: boolean;
}

const statuses = new Set([301, 302, 303, 307, 308]);
const bodyHeaders = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-location',
  'transfer-encoding',
]);
/** Headers that everybody may see: of all others nobody knows whether they open doors. */
const harmlessHeaders = new Set([
  ...bodyHeaders,
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'dnt',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'max-forwards',
  'pragma',
  'priority',
  'range',
  'te',
  'upgrade-insecure-requests',
  'user-agent',
]);

/** Address to which an answer sends the client, as written; undefined: it does not redirect. */
export function redirectTarget(status: number, location: string | undefined): string | undefined {
  return statuses.has(status) && location !== undefined && location !== '' ? location : undefined;
}

/**
 * Undefined where the target is not an http or https address. To another origin only harmless headers go along, and
 * those named in `named` (in lower case).
 */
export function nextRequest(
  sent: {
    readonly method: string;
    readonly url: URL;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: SentRequest['body'] | undefined;
    readonly file?: BodyFile | undefined;
  },
  status: number,
  target: string,
  named: readonly string[] = [],
): NextRequest | undefined {
  const url = URL.canParse(target, sent.url.href) ? new URL(target, sent.url) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  if (url.hash === '') url.hash = sent.url.hash;
  url.username = '';
  url.password = '';
  const method = nextMethod(sent.method, status);
  const keepsBody = method === sent.method;
  const crossed = url.origin !== sent.url.origin;
  const mayCross = (name: string): boolean => !crossed || harmlessHeaders.has(name) || named.includes(name);
  const kept = Object.entries(sent.headers).filter(([name]) => (keepsBody || !bodyHeaders.has(name)) && mayCross(name));
  return {
    method,
    url,
    headers: Object.fromEntries(kept),
    body: keepsBody ? sent.body : undefined,
    file: keepsBody ? sent.file : undefined,
    crossed,
  };
}

// 303 turns everything but HEAD into GET; 301 and 302 turn POST into GET, as browsers and other clients do.
function nextMethod(method: string, status: number): string {
  if (status === 303) return method === 'HEAD' ? 'HEAD' : 'GET';
  if ((status === 301 || status === 302) && method === 'POST') return 'GET';
  return method;
}
