import { findSecrets } from '#grammar/secret/find-secrets.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { isSecretHeader, isSecretKey } from '#schemas/types/secret-key.ts';

/** A request of another program as a test action. */
export interface ImportedAction {
  readonly action: [name: 'AT_test_api_method', params: ImportedParams];
  /** Step options beside it: `retry`. */
  readonly options?: Readonly<Record<string, Json>>;
  /** Sentences about each thing that could not be carried over. */
  readonly lost: readonly string[];
  /** Environment keys that stand in place of credentials. */
  readonly secrets: readonly string[];
}

export interface ImportedParams {
  readonly [name: string]: Json;
  readonly http_method: string;
  readonly test_url: string;
}

/** Puts references to the environment in place of credentials, and remembers their keys. */
export class Credentials {
  readonly #keys = new Set<string>();

  get keys(): readonly string[] {
    return [...this.#keys];
  }

  /** `${ENV.KEY}`; the key is one whose value is masked. */
  reference(name: string): string {
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .toUpperCase();
    const key = isSecretKey(words) ? words : `${words === '' ? 'IMPORTED' : words}_SECRET`;
    const named = /^\d/.test(key) ? `KEY_${key}` : key;
    this.#keys.add(named);
    return `\${ENV.${named}}`;
  }

  /** The value of a header, with what lets others in replaced; a value that is a reference already stays. */
  header(name: string, value: string): string {
    if (value === '' || isFilled(value) || !isSecretHeader(name)) return value;
    const lower = name.toLowerCase();
    const scheme = /^(Basic|Bearer|Digest|Token)\s/i.exec(value)?.[1];
    if (lower === 'authorization' && scheme !== undefined)
      return `${scheme} ${this.reference(scheme.toLowerCase() === 'basic' ? 'BASIC_AUTH' : `${scheme}_TOKEN`)}`;
    return this.reference(lower === 'authorization' ? 'AUTH_HEADER' : lower === 'cookie' ? 'COOKIE_SECRET' : name);
  }

  /** An address with the secrets of its query replaced. */
  url(text: string): string {
    return text.replace(/([?&])([^=&#]{1,200})=([^&#]+)/g, (whole, sign: string, name: string, value: string) =>
      isSecretName(name) && !isFilled(value) ? `${sign}${name}=${this.reference(name)}` : whole,
    );
  }

  /** An address without the login in it, and that login as parameters. */
  login(address: string): { readonly address: string; readonly params: JsonObject } {
    const [, scheme = '', user = '', password = '', rest = ''] =
      /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@:\s]+)(?::([^/?#@\s]*))?@(.*)$/is.exec(address) ?? [];
    if (user === '') return { address, params: {} };
    const isPlain = password === '' || isFilled(password);
    const auth = [decoded(user), isPlain ? password : this.reference('API_PASSWORD')];
    return { address: `${scheme}${rest}`, params: { auth } };
  }

  /** A value without the secrets whose form tells of them, wherever they stand. */
  plain(value: Json, key?: string): Json {
    if (typeof value === 'string') return this.#plainText(value, key);
    if (Array.isArray(value)) return value.map((item: Json) => this.plain(item, key));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.plain(item ?? null, name)]));
  }

  #plainText(text: string, key: string | undefined): string {
    let plain = '';
    let at = 0;
    for (const { rule, start, end } of findSecrets(text, key)) {
      const isName = rule === 'password_literal' || rule === 'suspicious_key_high_entropy';
      plain += text.slice(at, start) + this.reference(isName && key !== undefined ? key : rule);
      at = end;
    }
    return plain + text.slice(at);
  }

  /** A value with the texts under names that tell of a secret replaced. */
  json(value: Json): Json {
    if (Array.isArray(value)) return value.map((item: Json) => this.json(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const isText = typeof item === 'string' && item !== '' && !isFilled(item);
        return [key, isText && isSecretName(key) ? this.reference(key) : this.json(item ?? null)];
      }),
    );
  }
}

/** A text without percent-encoding, as it is where that is none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a text holds a reference already: to the environment, or to a variable. */
export function isFilled(text: string): boolean {
  return /(?:^|[^$])\$\{|(?:^|[^\\])\{\{/.test(text);
}

/** Whether a field, a query parameter or a cookie of that name holds a secret. */
export function isSecretName(name: string): boolean {
  return isSecretKey(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_'));
}

/**
 * A body as parameters: an object or a list of JSON as `json`, other text as `data`, and JSON with numbers that would
 * change.
 */
export function bodyParams(text: string, credentials: Credentials): JsonObject {
  const json = readJson(text);
  if (json !== undefined) return { json: credentials.json(json) };
  const data = text.replace(/(^|&)([^=&\s]+)=([^&]+)/g, (whole, sign: string, name: string, value: string) =>
    isSecretName(name) && !isFilled(value) ? `${sign}${name}=${credentials.reference(name)}` : whole,
  );
  return { data: withoutSecretMembers(data, credentials) };
}

/** A text with the members of JSON replaced whose names tell of a secret. */
function withoutSecretMembers(text: string, credentials: Credentials): string {
  const member = /"((?:[^"\\]|\\.)*)"(\s*:\s*)"((?:[^"\\]|\\.)+)"/g;
  return text.replace(member, (whole, name: string, between: string, value: string) =>
    isSecretName(name) && !isFilled(value) ? `"${name}"${between}"${credentials.reference(name)}"` : whole,
  );
}

/** Stands for an escaped reference while JSON is read, in which its escape would be none. */
const held = '\uE000';

/** The JSON of a text whose references are escaped; those in it are escaped again. */
function readJson(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const plain = text.replaceAll('$${', held).replaceAll('\\{{', '{{');
  try {
    const value = JSON.parse(plain) as Json;
    return keepsAll(plain, value) ? escapedAgain(value) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value says all that its JSON text does: of members of one name it holds the last; numbers may change. */
export function keepsAll(json: string, value: Json): boolean {
  const texts = json.match(/"(?:[^"\\]|\\.)*"(?:\s*:)?/g) ?? [];
  return keepsNumbers(json) && texts.filter((text) => text.endsWith(':')).length === membersOf(value);
}

function membersOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = (Object.values(value) as readonly Json[]).reduce<number>((sum, item) => sum + membersOf(item), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

/** Whether every number of a JSON text is written again as it stands there: 1.0 and digits beyond 2^53 are not. */
function keepsNumbers(json: string): boolean {
  const numbers = json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? [];
  return numbers.every((number) => String(Number(number)) === number);
}

/** Keys are never filled, so they need no escape. */
function escapedAgain(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('{{', '\\{{').replaceAll(held, () => '$${');
  if (Array.isArray(value)) return value.map(escapedAgain);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.replaceAll(held, '${'), escapedAgain(item ?? null)]),
  );
}
