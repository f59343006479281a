import * as fail from '#schemas/generated/failures.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// Characters that HTTP allows in a value: tab, printable ASCII, and the upper half of Latin-1.
const forbidden = /[^\t\u0020-\u007E\u0080-\u00FF]/u;

/** Names in lower case, checked; of two that differ only in case the later wins. */
export function readHeaders(headers: Readonly<Record<string, string>> | null): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!token.test(name)) throw fail.httpHeaderName({ name });
    const [character] = forbidden.exec(value) ?? [];
    if (character !== undefined) throw fail.httpHeaderValue({ name, character: JSON.stringify(character) });
    read[name.toLowerCase()] = value;
  }
  return read;
}

/** Headers as records and reports show them. */
export function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = { ...headers };
  for (const name in shown) if (isSecretHeader(name)) shown[name] = '***';
  return shown;
}

/** The parts of request headers that must not appear anywhere, also where a server sends them back. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  // The scheme of an authorization ("Bearer") is no secret; cookies are masked one by one where they are set.
  const secrets = Object.entries(headers)
    .filter(([name]) => isSecretHeader(name) && name !== 'cookie')
    .map(([, value]) => value.replace(/^(?:Basic|Bearer|Digest|Token)\s+/i, ''));
  return secrets.filter((secret) => secret.length >= 4);
}
