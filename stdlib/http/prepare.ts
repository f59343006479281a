import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { addQuery, encodeForm, resolveAddress } from './address.ts';
import { readHeaders, secretsIn } from './headers.ts';
import { maskCookie } from './mask-cookie.ts';

export type HttpRequest = Parameters<Ports['http']['send']>[0];

/** Parameters that the request commands have in common. */
export interface RequestParams {
  readonly method: string;
  readonly address: string;
  readonly timeout: number;
  /** Time limits (s) of parts of the exchange. */
  readonly phase_timeouts?: HttpRequest['phases_ms'] | null;
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
  /** Local files by field; the fields of `data` go with them, `json` does not. */
  readonly files?: NonNullable<HttpRequest['form']>['files'] | null;
  /** Path of a local file that is the body; it wins over all of these. */
  readonly body_file?: string | null;
  /** Fields beside `files` where `data` is none of names. */
  readonly fields?: NonNullable<HttpRequest['form']>['fields'];
  readonly unix_socket?: string | null;
  /** Wins over `data` and `json`. */
  readonly encoded?: EncodedBody;
  readonly auth?: readonly string[] | null;
  /** Whether a login waits for the challenge of the server; else it is sent at once (`basic`). */
  readonly auth_scheme?: 'basic' | 'digest';
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
  const known = params.auth ?? login;
  const isDigest = known !== undefined && params.auth_scheme === 'digest';
  const authorization = isDigest ? undefined : basic(known);
  const headers = {
    'user-agent': 'svc',
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br, zstd',
    ...(type === undefined ? {} : { 'content-type': type }),
    ...given,
    ...(authorization === undefined ? {} : { authorization }),
  };
  for (const secret of [...secretsIn(headers), ...(login ? [login[1]] : [])]) ctx.mask(secret);
  for (const [name, value] of givenCookies(params.cookies, headers)) maskCookie({ name, value }, ctx);
  return {
    method: params.method,
    url,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(typeof params.body_file === 'string' ? { body_file: params.body_file } : {}),
    ...(params.files && typeof params.body_file !== 'string'
      ? { form: { files: params.files, fields: params.fields ?? formFields(params.data) } }
      : {}),
    ...(params.unix_socket ? { unix_socket: params.unix_socket } : {}),
    timeout_ms: params.timeout * 1000,
    ...(params.phase_timeouts ? { phases_ms: inMilliseconds(params.phase_timeouts) } : {}),
    signal: ctx.signal,
    follow: params.follow ?? false,
    ...(isDigest ? { digest: [known[0] ?? '', known[1] ?? ''] as const } : {}),
    ...(params.redirect_headers ? { redirect_headers: params.redirect_headers.map((name) => name.toLowerCase()) } : {}),
    session: params.session ?? false,
    verify: params.verify,
    http2: params.http2 ?? false,
    ...(params.cookies ? { cookies: readCookies(params.cookies) } : {}),
    ...(params.cert ? { cert: pairOf(params.cert) } : {}),
    ...(params.proxies ? { proxies: params.proxies } : {}),
  };
}

function inMilliseconds(limits: NonNullable<RequestParams['phase_timeouts']>): NonNullable<HttpRequest['phases_ms']> {
  return Object.fromEntries(Object.entries(limits).map(([part, seconds]) => [part, seconds * 1000]));
}

/** `data` wins over `json`. */
function bodyOf({ data, json, soap, encoded, files, body_file: file }: RequestParams): Partial<EncodedBody> {
  const soapType = soap ? { type: 'application/soap+xml; charset=utf-8' } : {};
  if (typeof file === 'string') return soapType;
  if (files) return {};
  if (encoded) return encoded;
  if (typeof data === 'string') return { body: data, ...soapType };
  if (data) return { body: encodeForm(data), type: 'application/x-www-form-urlencoded', ...soapType };
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json', ...soapType };
  return soapType;
}

/** Fields of an object by name; a list repeats its name, null leaves it out. */
function formFields(data: RequestParams['data']): (readonly [name: string, value: string])[] {
  if (!data || typeof data === 'string') return [];
  return [...new URLSearchParams(encodeForm(data))];
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

/** Cookies of a parameter, and those that a header has. */
function givenCookies(
  cookies: RequestParams['cookies'],
  headers: Readonly<Record<string, string>>,
): (readonly [name: string, value: string])[] {
  const inHeader = (headers['cookie'] ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name.trim(), value.join('=').trim()] as const;
  });
  return [...Object.entries(cookies ?? {}), ...inHeader];
}

function pairOf(cert: string | readonly string[]): string | readonly [string, string] {
  return typeof cert === 'string' ? cert : [cert[0] ?? '', cert[1] ?? ''];
}
