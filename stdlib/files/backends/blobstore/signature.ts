import { createHmac } from 'node:crypto';

/** A request as it will be sent. */
export interface KeyedRequest {
  /** Method in capitals. */
  readonly method: string;
  readonly url: URL;
  /** Names in lower case; `x-ms-date` stands among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body. */
  readonly length: number;
}

/** Headers that are signed by their place. */
const PLACES = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-modified-since',
  'if-match',
  'if-none-match',
  'if-unmodified-since',
  'range',
] as const;

/** `Authorization` by the account's key, as versions of the service from 2015-02-21 on want it. */
export function sharedKey(account: string, key: Uint8Array, request: KeyedRequest): string {
  const signature = createHmac('sha256', key).update(textToSign(account, request), 'utf8').digest('base64');
  return `SharedKey ${account}:${signature}`;
}

/** The text whose signature the service makes again. */
export function textToSign(account: string, { method, url, headers, length }: KeyedRequest): string {
  const placed = PLACES.map((name) =>
    // An empty body has no length here, and the date of the header below stands for that of this place.
    name === 'content-length' ? (length === 0 ? '' : String(length)) : name === 'date' ? '' : (headers[name] ?? ''),
  );
  return [method, ...placed, ...ownHeaders(headers), resource(account, url)].join('\n');
}

function ownHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => name.startsWith('x-ms-'))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}`);
}

function resource(account: string, url: URL): string {
  const values = new Map<string, string[]>();
  for (const [name, value] of url.searchParams) {
    const key = name.toLowerCase();
    values.set(key, [...(values.get(key) ?? []), value]);
  }
  const lines = [...values]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, all]) => `\n${name}:${all.sort().join(',')}`);
  return `/${account}${url.pathname}${lines.join('')}`;
}
