import type { SetCookie } from './port.ts';

type Pairs = Readonly<Record<string, string>>;

/** Several values of one name in one text. */
export function joinHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Pairs {
  const joined: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) joined[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
}

/**
 * Cookies of the jar, of a `Cookie` header and of the request in one header; the later win over all of that name.
 * Undefined: none.
 */
export function cookieHeader(
  jar: readonly (readonly [name: string, value: string])[] | undefined,
  header: string | undefined,
  own: Pairs | undefined,
): string | undefined {
  if (!jar && !own) return header;
  const given = { ...parseCookieHeader(header), ...own };
  const kept = (jar ?? []).filter(([name]) => !Object.hasOwn(given, name));
  const texts = [...kept, ...Object.entries(given)].map(([name, value]) => `${name}=${value}`);
  return texts.length === 0 ? undefined : texts.join('; ');
}

function parseCookieHeader(header: string | undefined): Pairs {
  const parts = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return Object.fromEntries(parts.map(splitPair));
}

/** Name, value and whether scripts may read it; what else the line says is the matter of who reads it. */
export function parseSetCookie(line: string): SetCookie {
  const [pair = '', ...attributes] = line.split(';');
  const [name, value] = splitPair(pair);
  const isHttpOnly = attributes.some((attribute) => attribute.trim().toLowerCase() === 'httponly');
  return { name, value, http_only: isHttpOnly, line };
}

function splitPair(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  return at < 0 ? ['', pair.trim()] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}
