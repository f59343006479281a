import { Credentials, isFilled, isSecretName } from '#grammar/import/request.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { LoadRequest } from './sources.ts';

/**
 * A request for a file that others read: `${ENV.NAME}` stands in place of whatever lets others in, also where it was
 * written out.
 */
export function withPlaceholders(request: LoadRequest): LoadRequest {
  const credentials = new Credentials();
  const { headers, cookies, json, data, params, request_url: url, ...given } = request;
  const { auth, form: _bytes, ...rest } = given;
  const isDigest = rest.auth_scheme === 'digest';
  const shownHeaders = textsOf(headers, (name, value) => credentials.header(name, value));
  const shownCookies = textsOf(cookies, (name, value) =>
    isSecretName(name) && !isFilled(value) ? credentials.reference(`COOKIE_${name}`) : value,
  );
  return {
    ...rest,
    request_url: credentials.url(url),
    ...(params === undefined ? {} : { params: shownQuery(params, credentials) }),
    ...(auth !== undefined && isDigest ? { auth: shownLogin(auth, credentials) } : {}),
    ...(headers === undefined && (auth === undefined || isDigest)
      ? {}
      : {
          headers: {
            ...shownHeaders,
            ...(auth === undefined || isDigest ? {} : { Authorization: 'Basic ${ENV.BASIC_AUTH}' }),
          },
        }),
    ...(cookies === undefined ? {} : { cookies: shownCookies }),
    ...(json === undefined ? {} : { json: credentials.json(json) }),
    ...(data === undefined ? {} : { data: credentials.json(data) }),
  };
}

/** A login of which a challenge needs user and password, each by itself. */
function shownLogin(auth: Json, credentials: Credentials): Json {
  const [user = '', password = ''] = [auth].flat();
  const isShown = typeof password === 'string' && isFilled(password);
  return [user, isShown ? password : credentials.reference('API_PASSWORD')];
}

function shownQuery(query: Json, credentials: Credentials): Json {
  if (typeof query === 'string') return credentials.url(`?${query}`).slice(1);
  return textsOf(query, (name, value) =>
    isSecretName(name) && !isFilled(value) ? credentials.reference(name) : value,
  );
}

function textsOf(value: Json | undefined, shown: (name: string, value: string) => string): JsonObject {
  const fields = isObject(value) ? value : {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, typeof one === 'string' ? shown(name, one) : (one ?? null)]),
  );
}

/** Names of the environment that stand in requests in place of credentials, sorted. */
export function placeholders(requests: readonly LoadRequest[]): readonly string[] {
  const found = JSON.stringify(requests).matchAll(/\$\{ENV\.(\w+)\}/g);
  return [...new Set([...found].map(([, name = '']) => name))].toSorted();
}
