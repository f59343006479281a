import { percentDecoded } from '#grammar/source/percent-decoded.ts';

/** The parts of an address that signing needs, as text. */
export interface SignedAddress {
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/**
 * Takes an http or https address apart without changing its path and query; the port goes where it is the scheme's own.
 */
export function readAddress(url: string): SignedAddress {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^(https?):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  const own = scheme.toLowerCase() === 'https' ? ':443' : ':80';
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  return { host: host.endsWith(own) ? host.slice(0, -own.length) : host, path: path || '/', query };
}

/** Percent-encodes all but letters, digits, `-`, `.`, `_` and `~`. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Services of the object store. */
const STORES = new Set(['s3', 's3express', 's3-object-lambda', 's3-outposts']);

/** Whether a service is the object store, or one that stands before it. */
export function isStore(service: string): boolean {
  return STORES.has(service);
}

/**
 * The path as it is signed. Dot segments and repeated slashes go, and what is sent is encoded once more. The object
 * store is the exception: its keys may hold anything, so that nothing goes, and a path is encoded once in all.
 */
export function canonicalPath(path: string, service: string): string {
  if (isStore(service))
    return path
      .split('/')
      .map((part) => encodeStrictly(percentDecoded(part)))
      .join('/');
  const parts: string[] = [];
  const segments = path.split('/').slice(1);
  for (const part of segments) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(encodeStrictly(part));
  }
  const isFolder = ['', '.', '..'].includes(segments.at(-1) ?? '') && parts.length > 0;
  return `/${parts.join('/')}${isFolder ? '/' : ''}`;
}

/** Names and values are encoded anew and sorted by their bytes. */
export function canonicalQuery(query: string): string {
  if (query === '') return '';
  const pairs = query.split('&').map((pair) => {
    const at = pair.indexOf('=');
    const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    return [encodeStrictly(percentDecoded(name)), encodeStrictly(percentDecoded(value))] as const;
  });
  // Encoded text is ASCII: the order of UTF-16 units is that of bytes.
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return pairs
    .toSorted(([name, value], [otherName, otherValue]) => order(name, otherName) || order(value, otherValue))
    .map((pair) => pair.join('='))
    .join('&');
}

/** Names in lower case, sorted, with all values of one; blanks at the ends go, and those inside become one. */
export function canonicalHeaders(headers: Readonly<Record<string, string>>): {
  readonly lines: string;
  readonly names: string;
} {
  const values = new Map<string, string>();
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    const before = values.get(name);
    const plain = value.trim().replace(/\s+/g, ' ');
    values.set(name, before === undefined ? plain : `${before},${plain}`);
  }
  const read = [...values].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    lines: read.map(([name, value]) => `${name}:${value}\n`).join(''),
    names: read.map(([name]) => name).join(';'),
  };
}
