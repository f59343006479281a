const MASK = '***';

/** Hides secrets and what is secret of addresses: everything behind their host. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const parts = new Set(secrets.flatMap(formsOf).filter((part) => part.length >= 4));
  const sorted = [...parts].toSorted((a, b) => b.length - a.length);
  return (text) => sorted.reduce((hidden, part) => hidden.replaceAll(part, MASK), text);
}

/** What is long enough to be a key, and to stand in no innocent text. */
const KEY_LENGTH = 16;

/** What of an address must be masked in records: all of it, and of what stands behind the host whatever may be a key. */
export function secretParts(url: string): readonly string[] {
  if (!URL.canParse(url)) return [url];
  const { href, pathname, search, searchParams } = new URL(url);
  const keys = [pathname + search, pathname, ...pathname.split('/'), ...searchParams.values()].filter(
    ({ length }) => length >= KEY_LENGTH,
  );
  return [url, href, ...keys];
}

function formsOf(secret: string): readonly string[] {
  if (!URL.canParse(secret)) return [secret];
  const { href, pathname, search } = new URL(secret);
  return [secret, href, pathname + search, pathname, search.slice(1)];
}
