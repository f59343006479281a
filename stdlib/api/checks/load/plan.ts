import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import type { LoadPlan, LoadTask } from '#schemas/types/load.ts';

import { addQuery, encodeForm } from '#stdlib/http/address.ts';

import { speaksOfRows } from './rows.ts';
import { modelOf } from './profile.ts';
import type { FullProfile } from './profile.ts';
import type { LoadRequest } from './sources.ts';

/** The plan of the built-in engine. */
export function planOf(
  requests: readonly LoadRequest[],
  profile: FullProfile,
  more: Pick<LoadPlan, 'seed' | 'rows'>,
): LoadPlan {
  const [least, most = least] = profile.think_seconds ?? [];
  return {
    tasks: requests.map(taskOf),
    mode: profile.mode,
    model: modelOf(profile),
    ...(least === undefined || most === undefined ? {} : { think_ms: [least * 1000, most * 1000] as const }),
    grace_ms: 10_000,
    ...more,
  };
}

function taskOf(request: LoadRequest): LoadTask {
  const { type, ...body } = bodyOf(request);
  const { timeout, allow_redirects: follow, assertions, auth } = request;
  const login = Array.isArray(auth) ? (auth as readonly Json[]) : undefined;
  const isDigest = request.auth_scheme === 'digest';
  const [assertion] = assertions ?? [];
  const url = new URL(request.request_url);
  if (typeof request.params === 'string' || isObject(request.params))
    addQuery(url, request.params as Parameters<typeof addQuery>[1]);
  return {
    name: request.name.replace(/^[A-Z]+ /, ''),
    method: request.method.toUpperCase(),
    url: url.href,
    headers: {
      'user-agent': 'svc',
      accept: '*/*',
      ...(type === undefined ? {} : { 'content-type': type }),
      ...texts(request.headers),
      ...(login && !isDigest ? { authorization: basic(login) } : {}),
      ...(isObject(request.cookies) ? { cookie: cookiesOf(request.cookies) } : {}),
    },
    ...body,
    ...(login && isDigest ? { digest: [textOf(login[0]), textOf(login[1])] as const } : {}),
    ...(assertion ? { expect_status: assertion.value } : {}),
    weight: request.weight ?? 1,
    timeout_ms: (typeof timeout === 'number' ? timeout : 5) * 1000,
    ...(follow === true ? { follow: true } : {}),
    ...(request.verify === false ? { unverified: true } : {}),
  };
}

/** Files win over `data`, which wins over `json`. */
function bodyOf({
  data,
  json,
  form,
}: LoadRequest): Pick<LoadTask, 'body' | 'body_base64' | 'fills_body'> & { readonly type?: string } {
  if (form)
    return {
      body_base64: form.base64,
      ...(form.type === undefined ? {} : { type: form.type }),
      ...(speaksOfRows([data ?? null]) ? { fills_body: true } : {}),
    };
  if (typeof data === 'string') return { body: data };
  if (isObject(data))
    return {
      body: encodeForm(data),
      type: 'application/x-www-form-urlencoded',
    };
  return json === undefined ? {} : { body: JSON.stringify(json), type: 'application/json' };
}

function texts(headers: LoadRequest['headers']): Record<string, string> {
  return isObject(headers)
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), textOf(value)]))
    : {};
}

function basic([user, password]: readonly Json[]): string {
  return `Basic ${Buffer.from(`${textOf(user)}:${textOf(password)}`).toString('base64')}`;
}

function cookiesOf(cookies: JsonObject): string {
  return Object.entries(cookies)
    .map(([name, value]) => `${name}=${textOf(value)}`)
    .join('; ');
}

function textOf(value: JsonObject[string] | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
