import * as fail from '#schemas/generated/failures.ts';

import { nextRequest, redirectTarget, type NextRequest } from './redirect.ts';

/** A chain of requests, of which redirects make the next one. */
export interface Chain {
  /** The first request, for failures. */
  readonly method: string;
  readonly url: URL;
  readonly follow?: boolean | undefined;
  readonly checked?: boolean | undefined;
  /** Headers that go along to another origin, in lower case. */
  readonly redirect_headers?: readonly string[] | undefined;
  /** Most redirects that are followed. */
  readonly limit: number;
}

/** The request that an answer asks for; undefined: the chain ends here. `done` redirects were followed before. */
export function nextHop(
  chain: Chain,
  current: Parameters<typeof nextRequest>[0],
  answer: { readonly status: number; readonly location: string | undefined },
  done: number,
): NextRequest | undefined {
  const target = chain.follow ? redirectTarget(answer.status, answer.location) : undefined;
  if (target === undefined) return undefined;
  const next = nextRequest(current, answer.status, target, chain.redirect_headers);
  const about = { method: chain.method, url: chain.url.href };
  if (!next) throw fail.httpRedirectTarget({ ...about, target });
  if (chain.checked && current.url.protocol === 'https:' && next.url.protocol === 'http:')
    throw fail.outboundUnencrypted({ url: current.url.href, target: next.url.href });
  if (done >= chain.limit) throw fail.httpTooManyRedirects({ ...about, limit: chain.limit, last: next.url.href });
  return next;
}
