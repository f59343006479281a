import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Verdict of a file of known hosts about a key: it is this one; it is another one; none is known; this one is
 * never to be used.
 */
export type HostKeyVerdict = 'known' | 'changed' | 'unknown' | 'revoked';

interface Line {
  readonly marker: string;
  readonly hosts: string;
  readonly type: string;
  readonly key: string;
}

/** Lines of OpenSSH's `known_hosts`: names with wildcards, ports in brackets, hashed names, markers. */
export class KnownHosts {
  readonly #lines: readonly Line[];

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/).flatMap(readLine);
  }

  /** Types of the keys that are known for a host: a server is asked for one of these. */
  typesFor(host: string, port: number): readonly string[] {
    return this.#of(host, port)
      .filter(({ marker }) => marker === '')
      .map(({ type }) => type);
  }

  verdict(host: string, port: number, key: Uint8Array): HostKeyVerdict {
    const text = Buffer.from(key).toString('base64');
    const lines = this.#of(host, port);
    if (lines.some((line) => line.marker === '@revoked' && line.key === text)) return 'revoked';
    const plain = lines.filter(({ marker }) => marker === '');
    if (plain.some((line) => line.key === text)) return 'known';
    return plain.length > 0 ? 'changed' : 'unknown';
  }

  #of(host: string, port: number): readonly Line[] {
    const name = (port === 22 ? host : `[${host}]:${port}`).toLowerCase();
    return this.#lines.filter(({ hosts }) => fits(hosts, name));
  }
}

/** Fingerprint of a key as `ssh-keygen -l` shows it. */
export function fingerprint(key: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

function readLine(text: string): Line[] {
  const words = text.trim().split(/\s+/);
  const marker = words[0]?.startsWith('@') ? (words.shift() ?? '') : '';
  const [hosts, type, key] = words;
  return hosts === undefined || hosts.startsWith('#') || type === undefined || key === undefined
    ? []
    : [{ marker, hosts, type, key }];
}

function fits(hosts: string, name: string): boolean {
  if (hosts.startsWith('|1|')) return isHashOf(hosts, name);
  let found = false;
  for (const pattern of hosts.toLowerCase().split(',')) {
    const not = pattern.startsWith('!');
    if (!isLike(not ? pattern.slice(1) : pattern, name)) continue;
    if (not) return false;
    found = true;
  }
  return found;
}

function isHashOf(hosts: string, name: string): boolean {
  const [, , salt = '', hash = ''] = hosts.split('|');
  const expected = Buffer.from(hash, 'base64');
  const actual = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** `*` and `?`, without going back more than to the last `*`. */
function isLike(pattern: string, name: string): boolean {
  let [p, n, star, mark] = [0, 0, -1, 0];
  while (n < name.length) {
    if (pattern[p] === '*') [star, mark, p] = [p, n, p + 1];
    else if (pattern[p] === '?' || pattern[p] === name[n]) [p, n] = [p + 1, n + 1];
    else if (star >= 0) [p, mark, n] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
