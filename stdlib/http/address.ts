import { percentDecoded } from '#grammar/source/percent-decoded.ts';
import * as fail from '#schemas/generated/failures.ts';

/** An address to send to, and the login that stood in it. */
export interface Address {
  readonly url: URL;
  readonly login: readonly [user: string, password: string] | undefined;
}

/** Reads an address, relative ones against `meta.base_url`, and says what is wrong before anything is sent. */
export function resolveAddress(text: string, baseUrl: string | undefined): Address {
  const isAbsolute = /^[a-z][a-z0-9+.-]*:/i.test(text);
  if (text.trim() === '') throw fail.httpAddress({ url: text });
  if (!isAbsolute && baseUrl === undefined) throw fail.httpAddressRelative({ url: text });
  const url = URL.parse(text, baseUrl);
  if (!url) throw fail.httpAddress({ url: isAbsolute ? text : `${baseUrl} + ${text}` });
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw fail.httpAddressScheme({ url: url.href });
  return { url, login: takeLogin(url) };
}

/** Takes the login out of an address; undefined: there was none. */
export function takeLogin(url: URL): Address['login'] {
  if (url.username === '' && url.password === '') return undefined;
  const login = [percentDecoded(url.username), percentDecoded(url.password)] as const;
  url.username = '';
  url.password = '';
  return login;
}

type QueryValue = string | number | boolean | null;

/** Adds query parameters: text as it stands, an object by name; null leaves a name out, a list repeats it. */
export function addQuery(
  url: URL,
  params: string | Readonly<Record<string, QueryValue | readonly unknown[]>> | null,
): void {
  if (params === null) return;
  const added = typeof params === 'string' ? params.replace(/^\?/, '') : encodeForm(params);
  if (added !== '') url.search = url.search === '' ? added : `${url.search}&${added}`;
}

/** `application/x-www-form-urlencoded`, as forms send it. */
export function encodeForm(fields: Readonly<Record<string, unknown>>): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (item !== null && item !== undefined)
        encoded.append(name, typeof item === 'string' ? item : JSON.stringify(item));
    }
  }
  return encoded.toString();
}
