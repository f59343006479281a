import type { JsonObject } from '#schemas/types/json.ts';

import type { Headers } from './curl-body.ts';
import { isSecretName, type Credentials } from './request.ts';

/** Headers that a request has once: the last one counts. */
export const ONCE = new Set(
  (
    'authorization content-length content-type from host if-modified-since if-unmodified-since max-forwards origin ' +
    'proxy-authorization referer user-agent'
  ).split(' '),
);
/** Headers by which a client says how it sends: this one says so itself, and refuses another word. */
const OF_CLIENT = new Set(['transfer-encoding', 'keep-alive', 'upgrade', 'expect']);
/** Headers that both clients send unasked: curl leaves one out when told to, this one cannot. */
const ALWAYS_SENT = new Set(['accept', 'connection', 'host', 'user-agent']);

/**
 * Headers and cookies of a curl command line. A header that `--header` writes, or takes away, counts more than the
 * option that would make it, in whatever order they stand.
 */
export class CurlHeaders {
  readonly #lost: string[];
  readonly #credentials: Credentials;
  readonly #written: Headers = new Map();
  /** Headers that options make; an empty value: none is sent. */
  readonly #byOption: Headers = new Map();
  /** Headers that are taken away, by their names in small letters. */
  readonly #without = new Map<string, string>();
  readonly #cookieOptions: string[] = [];
  readonly #cookieHeaders: string[] = [];

  constructor(lost: string[], credentials: Credentials) {
    this.#lost = lost;
    this.#credentials = credentials;
  }

  /** Takes the value of `--header`. */
  header(text: string): void {
    if (text.startsWith('@')) this.#lost.push(`headers stand in the file ${text.slice(1)}`);
    else if (/^[^:;]+;\s*$/.test(text)) this.#write(text.replace(/;\s*$/, ''), '');
    else {
      const at = text.indexOf(':');
      const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
      if (at <= 0) this.#lost.push(`the header "${text}" has no name`);
      else if (value === '') this.#without.set(name.toLowerCase(), name);
      else this.#write(name, value);
    }
  }

  /** Takes the header that another option makes. */
  option(name: string, value: string): void {
    this.#byOption.set(name.toLowerCase(), [name, value]);
  }

  /** Takes the value of `--cookie`. */
  cookie(value: string): void {
    // No file: curl keeps the cookies of answers, as sessions do here.
    if (value === '') return;
    if (value.includes('=')) this.#cookieOptions.push(value);
    else this.#lost.push(`cookies stand in the file ${value}`);
  }

  /** Whether a header of that name, in small letters, is written out or taken away. */
  decides(name: string): boolean {
    return this.#written.has(name) || this.#without.has(name);
  }

  /** Whether a header of that name, in small letters, is taken away. */
  isWithout(name: string): boolean {
    return this.#without.has(name) && !this.#written.has(name);
  }

  /** Headers as they are sent, without those of the body. */
  all(): Headers {
    const all: Headers = new Map(this.#written);
    for (const [key, [name, value]] of this.#byOption) {
      if (this.decides(key)) continue;
      if (value === '') this.#without.set(key, name);
      else all.set(key, [name, this.#credentials.header(name, value)]);
    }
    for (const [key, name] of this.#without)
      if (ALWAYS_SENT.has(key) && !all.has(key)) this.#lost.push(`curl sends no header ${name}`);
    return all;
  }

  cookies(): JsonObject {
    const isWritten = this.#cookieHeaders.length > 0 || this.#without.has('cookie');
    const cookies: Record<string, string> = {};
    for (const pair of (isWritten ? this.#cookieHeaders : this.#cookieOptions).join(';').split(';')) {
      const at = pair.indexOf('=');
      if (at <= 0 && pair.trim() !== '') this.#lost.push(`the cookie "${pair.trim()}", which is no name with a value`);
      if (at <= 0) continue;
      const [name, content] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      const isSecret = isSecretName(name) || /sess|sid|csrf|xsrf|jwt/i.test(name);
      cookies[name] = isSecret ? this.#credentials.reference(`COOKIE_${name}`) : content;
    }
    return Object.keys(cookies).length > 0 ? { cookies } : {};
  }

  #write(name: string, value: string): void {
    const key = name.toLowerCase();
    const isOfClient = OF_CLIENT.has(key) || /^connection: .*upgrade/i.test(`${name}: ${value}`);
    if (key === 'cookie') this.#cookieHeaders.push(value);
    else if (isOfClient) this.#lost.push(`the header ${name}: ${value}, which the client says itself`);
    else this.#written.set(key, [name, this.#joined(key, this.#credentials.header(name, value))]);
  }

  /** The value behind those of the same name: several lines of a header are one list (RFC 9110 section 5.3). */
  #joined(key: string, value: string): string {
    const before = ONCE.has(key) ? undefined : this.#written.get(key)?.[1];
    return before === undefined ? value : `${before}, ${value}`;
  }
}
