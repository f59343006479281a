const MASK = '***';

/** Hides secrets and what is secret of addresses: everything behind their host. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const parts = new Set(secrets.flatMap(formsOf).filter((part) => part.length >= 4));
  const sorted = [...parts].toSorted((a, b) => b.length - a.length);
  return (text) => sorted.reduce((hidden, part) => hidden.replaceAll(part, MASK), text);
}

/** Least length (characters) of a part that may be a key: shorter ones stand in innocent texts. */
const KEY_LENGTH = 16;

/** Parts of an address that must be masked in records: all of it, and each part behind the host that may be a key. */
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
