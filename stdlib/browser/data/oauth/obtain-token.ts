import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { decodeBody } from '#stdlib/http/body-text.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';
import { resolveAddress } from '#stdlib/http/address.ts';

export interface TokenAsked {
  readonly url: string;
  readonly client: { readonly id: string; readonly secret: string; readonly isBasic: boolean };
  readonly fields: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
}

/** Characters of an answer that a failure shows. */
const SHOWN = 200;

/** Asks a token endpoint (RFC 6749). Redirects are not followed: what is sent opens doors. */
export async function obtainToken(
  { url: address, client, fields, timeout_ms }: TokenAsked,
  ctx: Base & Pick<Ports, 'http' | 'clock'>,
): Promise<JsonObject> {
  const { url } = resolveAddress(address, undefined);
  const obtainedAt = Math.floor(ctx.clock.now() / 1000);
  const authorization = client.isBasic ? basic(client.id, client.secret) : undefined;
  if (authorization !== undefined) ctx.mask(authorization.slice('Basic '.length));
  const body = new URLSearchParams({
    ...fields,
    ...(client.isBasic ? {} : { client_id: client.id, client_secret: client.secret }),
  });
  const answer = await ctx.http.send({
    method: 'POST',
    url,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: body.toString(),
    timeout_ms,
    signal: ctx.signal,
  });
  const { text } = decodeBody(answer.body, answer.headers['content-type'] ?? 'application/json');
  if (answer.status < 200 || answer.status > 299) throw refusal({ url: url.href, status: answer.status, text }, ctx);
  const token = objectIn(text);
  if (typeof token?.['access_token'] !== 'string' || token['access_token'] === '')
    throw fail.tokenMissing({
      url: url.href,
      fields:
        Object.keys(token ?? {})
          .toSorted()
          .join(', ') || 'none',
      // Some servers refuse with a status that says all is well.
      reason: toldIn(token, ctx),
    });
  // By our own clock, before the answer was on its way: the server's may differ.
  return { ...token, _obtained_at: obtainedAt };
}

interface Refused {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

function refusal({ url, status, text }: Refused, ctx: Base): Error {
  const reason = toldIn(objectIn(text), ctx) || ctx.excerpt(text.trim(), SHOWN) || 'no body';
  const facts = { url, status, reason };
  return status === 429 || status >= 500 ? fail.tokenUnavailable(facts) : fail.tokenRefused(facts);
}

/** The error that an answer names as the protocol says; empty: none. */
function toldIn(body: JsonObject | undefined, ctx: Base): string {
  const told = [body?.['error'], body?.['error_description']].filter((part) => typeof part === 'string');
  return ctx.excerpt(told.join(': '), SHOWN);
}

function objectIn(text: string): JsonObject | undefined {
  const parsed = parseJson(text);
  return 'json' in parsed && isObject(parsed.json) ? parsed.json : undefined;
}

/** Name and secret are encoded as form fields before they are joined (RFC 6749, 2.3.1). */
function basic(id: string, secret: string): string {
  const encoded = [id, secret].map((part) => new URLSearchParams({ part }).toString().slice('part='.length));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}
