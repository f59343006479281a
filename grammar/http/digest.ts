/** The hexadecimal hash of a text by its name: `md5`, `sha256`, `sha512-256`. */
export type Hash = (name: string, text: string | Uint8Array) => string;

/** A request that answers a challenge, and the value that nobody else can guess. */
export interface Answering {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  /** Null: it is not known as a whole, and no challenge can be answered that wants its hash. */
  readonly body: string | Uint8Array | null | undefined;
  readonly login: readonly [user: string, password: string];
  readonly cnonce: string;
  readonly hash: Hash;
}

type Challenge = Readonly<Record<string, string>>;

const hashes: Readonly<Record<string, string>> = { MD5: 'md5', 'SHA-256': 'sha256', 'SHA-512-256': 'sha512-256' };

/**
 * The value of `Authorization` for the first Digest challenge of `WWW-Authenticate` that can be answered (RFC 7616);
 * undefined: none can.
 */
export function digestAuthorization(challenges: string, answering: Answering): string | undefined {
  for (const challenge of readChallenges(challenges)) {
    const value = answerTo(challenge, answering);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Whether the server knew the login and only wants it with its new nonce. */
export function isStale(challenges: string): boolean {
  return readChallenges(challenges).some(({ stale }) => stale?.toLowerCase() === 'true');
}

function answerTo(challenge: Challenge, answering: Answering): string | undefined {
  const { method, target, body, login, cnonce } = answering;
  const { realm, nonce, opaque, algorithm = 'MD5', userhash } = challenge;
  const [, name = '', sess] = /^(.+?)(-sess)?$/i.exec(algorithm) ?? [];
  const hash = hashes[name.toUpperCase()];
  const qop = chosenQuality(challenge['qop']);
  if (hash === undefined || realm === undefined || nonce === undefined || qop === undefined) return undefined;
  if (qop === 'auth-int' && body === null) return undefined;
  const digest = (text: string | Uint8Array): string => answering.hash(hash, text);
  const [user, password] = login;
  const first = digest(`${user}:${realm}:${password}`);
  const secret = sess === undefined ? first : digest(`${first}:${nonce}:${cnonce}`);
  const asked = digest(`${method}:${target}${qop === 'auth-int' ? `:${digest(body ?? '')}` : ''}`);
  const count = '00000001';
  const response = digest(
    qop === '' ? `${secret}:${nonce}:${asked}` : `${secret}:${nonce}:${count}:${cnonce}:${qop}:${asked}`,
  );
  const isHashed = userhash?.toLowerCase() === 'true';
  return `Digest ${[
    isHashed ? `username=${quoted(digest(`${user}:${realm}`))}` : userName(user),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(target)}`,
    `response=${quoted(response)}`,
    ...(challenge['algorithm'] === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop === '' ? [] : [`qop=${qop}`, `nc=${count}`]),
    ...(qop === '' && sess === undefined ? [] : [`cnonce=${quoted(cnonce)}`]),
    ...(isHashed ? ['userhash=true'] : []),
  ].join(', ')}`;
}

/** `auth` where the server takes it; empty: a server of old, which names none; undefined: nothing that is known. */
function chosenQuality(offered: string | undefined): 'auth' | 'auth-int' | '' | undefined {
  if (offered === undefined) return '';
  const names = offered.split(',').map((name) => name.trim().toLowerCase());
  return names.includes('auth') ? 'auth' : names.includes('auth-int') ? 'auth-int' : undefined;
}

/** A name beyond ASCII is sent as RFC 8187 writes it. */
function userName(user: string): string {
  if (/^[\u0020-\u007E]*$/.test(user)) return `username=${quoted(user)}`;
  const encoded = encodeURIComponent(user.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `username*=UTF-8''${encoded}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

const part = /\s*,?\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/y;

/**
 * The parameters of each Digest challenge, in order; names in lower case. Reading ends where the header has another
 * form.
 */
function readChallenges(header: string): Challenge[] {
  const read: Record<string, string>[] = [];
  let current: Record<string, string> | undefined;
  part.lastIndex = 0;
  for (let match = part.exec(header); match; match = part.exec(header)) {
    const [, name = '', inQuotes, plain] = match;
    const value = inQuotes === undefined ? plain : inQuotes.replace(/\\(.)/g, '$1');
    if (value !== undefined && current) current[name.toLowerCase()] ??= value;
    if (value !== undefined) continue;
    // A word without a value is the scheme of the next challenge.
    current = name.toLowerCase() === 'digest' ? {} : undefined;
    if (current) read.push(current);
  }
  return read;
}
