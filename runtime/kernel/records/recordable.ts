import type { Json } from '#schemas/types/json.ts';

import { Unknown } from '../values/surroundings.ts';
import type { Masker } from './masker.ts';

/** Bytes of JSON that a record holds of one value. */
export const RESULT_LIMIT = 64 * 1024;
const DEEPEST = 64;

export interface Recordable {
  readonly json: Json;
  readonly truncated: boolean;
}

/** Values that one step knows to be secret by where they come from, with what is shown instead. */
export type KnownSecrets = ReadonlyMap<unknown, string>;

/**
 * A value as it is written: JSON of at most `limit` bytes, secrets hidden, live objects as `{"$handle": kind}`. Undefined
 * where there is no value.
 */
export function recordable(
  value: unknown,
  masker: Masker,
  known?: KnownSecrets,
  limit: number = RESULT_LIMIT,
): Recordable | undefined {
  if (value === undefined) return undefined;
  if (value === null || typeof value === 'boolean' || typeof value === 'number') {
    return {
      json: known?.get(value) ?? (typeof value === 'number' ? shownNumber(value, masker) : value),
      truncated: false,
    };
  }
  const writer = new Writer(masker, known, limit);
  const json = writer.write(value, 0);
  return { json, truncated: writer.truncated };
}

/** A value as JSON, nothing hidden and nothing cut: what goes on inside the run. */
export function toJson(value: unknown): Json {
  return new Writer(undefined, undefined, Infinity).write(value, 0);
}

class Writer {
  truncated = false;
  #left: number;
  readonly #masker: Masker | undefined;
  readonly #known: KnownSecrets | undefined;
  /** Objects that the value at hand lies in. */
  readonly #above: object[] = [];

  constructor(masker: Masker | undefined, known: KnownSecrets | undefined, limit: number) {
    this.#masker = masker;
    this.#known = known;
    this.#left = limit;
  }

  write(value: unknown, depth: number): Json {
    const hidden = this.#known?.get(value);
    if (hidden !== undefined) return this.#text(hidden);
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return this.#take(shownNumber(value, this.#masker));
      case 'boolean':
        return this.#take(value);
      case 'bigint':
        return this.#text(String(value));
      case 'object':
        return value === null ? this.#take(null) : this.#readable(value, depth);
      case 'function':
        return this.#handle('function');
      default:
        return this.#take(null);
    }
  }

  #take<T extends Json>(scalar: T): T {
    this.#left -= (typeof scalar === 'string' ? JSON.stringify(scalar) : String(scalar)).length + 1;
    return scalar;
  }

  /** Masked before it is cut: half a secret would be left in sight otherwise. */
  #text(value: string): string {
    if (!this.#masker) return value;
    const room = Math.max(0, this.#left - 2);
    const fits = value.length <= room;
    const masked = this.#masker.head(value, room);
    const cut = fits ? masked : masked.slice(0, room);
    const text = encodedLength(cut) <= room ? cut : cutTo(cut, room);
    if (!fits || text !== masked) this.truncated = true;
    this.#left -= encodedLength(text) + 3;
    return text;
  }

  /** Getters and proxies may throw: what cannot be read is shown as such, and breaks nothing. */
  #readable(value: object, depth: number): Json {
    if (this.#above.includes(value)) {
      this.truncated = true;
      return this.#handle('circle');
    }
    const { length } = this.#above;
    try {
      return this.#object(value, depth);
    } catch {
      this.#above.length = length;
      return this.#handle('unreadable');
    }
  }

  #object(value: object, depth: number): Json {
    if (depth >= DEEPEST) {
      this.truncated = true;
      return this.#take(null);
    }
    if (Array.isArray(value)) return this.#list(value, depth);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) return this.#live(value);
    const result: Record<string, Json> = {};
    this.#left -= 2;
    this.#above.push(value);
    for (const key of Object.keys(value)) {
      const part = partOf(value, key);
      if (part === undefined) continue;
      if (this.#full()) break;
      const name = this.#text(key);
      this.#left -= 2;
      define(result, name, this.write(part, depth + 1));
    }
    this.#above.pop();
    return result;
  }

  #list(value: readonly unknown[], depth: number): Json {
    const result: Json[] = [];
    this.#left -= 2;
    this.#above.push(value);
    for (const part of value) {
      if (this.#full()) break;
      result.push(this.write(part, depth + 1));
    }
    this.#above.pop();
    return result;
  }

  #full(): boolean {
    if (this.#left > 0) return false;
    this.truncated = true;
    return true;
  }

  #live(value: object): Json {
    if (value instanceof Date) return this.#take(Number.isNaN(value.getTime()) ? String(value) : value.toISOString());
    if (value instanceof Uint8Array) return this.#handle('bytes');
    if (value instanceof Unknown) return this.#object({ $unknown: value.$unknown }, 0);
    return this.#handle(kindOf(value));
  }

  #handle(kind: string): Json {
    this.#left -= kind.length + 14;
    return { $handle: kind };
  }
}

/** A getter that throws spoils its own field, not those beside it. */
function partOf(value: object, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[key];
  } catch {
    return new Unreadable();
  }
}

class Unreadable {
  readonly $handle = 'unreadable';
}

function shownNumber(value: number, masker: Masker | undefined): number | string {
  return Number.isFinite(value) ? (masker?.number(value) ?? value) : String(value);
}

/** `$handle` of the object where it names itself, else the name of its class. */
export function kindOf(value: object): string {
  if ('$handle' in value && typeof value.$handle === 'string') return value.$handle;
  const name: unknown = value.constructor?.name;
  return (typeof name === 'string' ? name : '').replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase() || 'object';
}

/** A key such as `__proto__` is data here. */
function define(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** Text that is written as it is, a byte a character: one look at all of it takes a tenth of the time of a loop. */
const plain = /^[ !#-[\]-~]*$/;

/** Bytes of a text in JSON, without its quotes. */
function encodedLength(text: string): number {
  if (plain.test(text)) return text.length;
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20) bytes += code === 0x0a || code === 0x0d || code === 0x09 || code === 0x08 || code === 0x0c ? 2 : 6;
    else if (code < 0x80) bytes += code === 0x22 || code === 0x5c ? 2 : 1;
    else if (code < 0x800) bytes += 2;
    else bytes += code >= 0xd800 && code < 0xe000 ? ((text.codePointAt(at) ?? 0) > 0xffff ? (at++, 4) : 6) : 3;
  }
  return bytes;
}

function cutTo(text: string, bytes: number): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (encodedLength(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  const last = text.charCodeAt(low - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? low - 1 : low);
}
