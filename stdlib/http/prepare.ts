import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { addQuery, encodeForm, resolveAddress } from './address.ts';
import { readHeaders, secretsIn } from './headers.ts';

export type HttpRequest = Parameters<Ports['http']['send']>[0];

/** What the request commands have in common, as their parameters give it. */
export interface RequestParams {
  readonly method: string;
  readonly address: string;
  readonly timeout: number;
  readonly session?: boolean;
  readonly http2?: boolean;
  readonly verify: boolean | string;
  readonly follow?: boolean;
  readonly redirect_headers?: readonly string[] | null;
  readonly soap?: boolean;
  readonly params?: Parameters<typeof addQuery>[1];
  readonly headers: Readonly<Record<string, string>> | null;
  readonly cookies?: Readonly<Record<string, string>> | null;
  /** Absent where it is not given: null is a body too. */
  readonly json?: Json | undefined;
  readonly data?: string | Readonly<Record<string, unknown>> | null;
  /** Wins over `data` and `json`. */
  readonly encoded?: EncodedBody;
  readonly auth?: readonly string[] | null;
  readonly cert?: string | readonly string[] | null;
  readonly proxies?: Readonly<Record<string, string>> | null;
}

/** A body that is ready to be sent, with its media type. */
export interface EncodedBody {
  readonly body: string | Uint8Array;
  readonly type: string;
}

/** Makes the request that parameters describe, and masks what lets others in. Fails before anything is sent. */
export function prepareRequest(params: RequestParams, ctx: Base): HttpRequest {
  const { url, login } = resolveAddress(params.address, ctx.step.baseUrl);
  addQuery(url, params.params ?? null);
  const { body, type } = bodyOf(params);
  const given = readHeaders(params.headers);
  const authorization = basic(params.auth ?? login);
  const headers = {
    'user-agent': 'svc',
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br, zstd',
    ...(type === undefined ? {} : { 'content-type': type }),
    ...given,
    ...(authorization === undefined ? {} : { authorization }),
  };
  for (const secret of [...secretsIn(headers), ...(login ? [login[1]] : [])]) ctx.mask(secret);
  return {
    method: params.method,
    url,
    headers,
    ...(body === undefined ? {} : { body }),
    timeout_ms: params.timeout * 1000,
    signal: ctx.signal,
    follow: params.follow ?? false,
    ...(params.redirect_headers ? { redirect_headers: params.redirect_headers.map((name) => name.toLowerCase()) } : {}),
    session: params.session ?? false,
    verify: params.verify,
    http2: params.http2 ?? false,
    ...(params.cookies ? { cookies: readCookies(params.cookies) } : {}),
    ...(params.cert ? { cert: pairOf(params.cert) } : {}),
    ...(params.proxies ? { proxies: params.proxies } : {}),
  };
}

/** `data` wins over `json`. */
function bodyOf({ data, json, soap, encoded }: RequestParams): Partial<EncodedBody> {
  if (encoded) return encoded;
  const soapType = soap ? { type: 'application/soap+xml; charset=utf-8' } : {};
  if (typeof data === 'string') return { body: data, ...soapType };
  if (data) return { body: encodeForm(data), type: 'application/x-www-form-urlencoded', ...soapType };
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json', ...soapType };
  return soapType;
}

function basic(login: readonly string[] | undefined): string | undefined {
  return login && `Basic ${Buffer.from(`${login[0] ?? ''}:${login[1] ?? ''}`).toString('base64')}`;
}

/** Held to the same signs as headers, because they are sent in one. */
function readCookies(cookies: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(cookies)) {
    readHeaders({ [name]: value });
    if (value.includes(';')) throw fail.httpCookieValue({ name });
  }
  return cookies;
}

function pairOf(cert: string | readonly string[]): string | readonly [string, string] {
  return typeof cert === 'string' ? cert : [cert[0] ?? '', cert[1] ?? ''];
}
