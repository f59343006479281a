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
 * A value as it is written: JSON of at most `limit` bytes, secrets hidden, live objects as `{"$handle": kind}`. What is too
 * large keeps its structure: long texts are cut, then long lists, each with a mark. Undefined where there is no value.
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
  const attempt = (cut: Cut): Recordable | undefined => written(value, { masker, known, limit, cut });
  return (
    attempt(WHOLE) ??
    largest(64, limit, (text) => attempt({ ...WHOLE, text })) ??
    largest(1, limit, (items) => attempt({ ...WHOLE, text: 256, items })) ??
    [16, 4, 1]
      .map((depth) => largest(1, limit, (keys) => attempt({ text: 64, items: 4, keys, depth })))
      .find((recorded) => recorded !== undefined) ?? { json: MARK, truncated: true }
  );
}

/** What the largest number yields for which there is something; undefined where there is nothing for the smallest. */
function largest<Found>(least: number, most: number, find: (size: number) => Found | undefined): Found | undefined {
  let found = find(least);
  if (found === undefined) return undefined;
  let [low, high] = [least, most];
  // Closer than a hundredth is of no use.
  while (high - low > Math.max(1, low / 100)) {
    const middle = Math.floor((low + high) / 2);
    const better = find(middle);
    if (better === undefined) high = middle;
    else {
      found = better;
      low = middle;
    }
  }
  return found;
}

/** How much is kept of what is too large: long texts are cut first, then lists, keys last. */
interface Cut {
  /** Characters of a text. */
  readonly text: number;
  readonly items: number;
  readonly keys: number;
  readonly depth: number;
}

const WHOLE: Cut = { text: Infinity, items: Infinity, keys: Infinity, depth: DEEPEST };
/** Stands where something was left out, with how much that is. */
const MARK = '…';

interface Writing {
  readonly masker: Masker;
  readonly known: KnownSecrets | undefined;
  readonly limit: number;
  readonly cut: Cut;
}

/** Undefined where it takes more than the limit. */
function written(value: unknown, { masker, known, limit, cut }: Writing): Recordable | undefined {
  const writer = new Writer(masker, known, limit, cut);
  const json = writer.write(value, 0);
  return writer.full ? undefined : { json, truncated: writer.truncated };
}

/** A value as JSON, nothing hidden and nothing cut: what goes on inside the run. */
export function toJson(value: unknown): Json {
  return new Writer(undefined, undefined, Infinity, WHOLE).write(value, 0);
}

class Writer {
  truncated = false;
  #left: number;
  readonly #cut: Cut;
  readonly #masker: Masker | undefined;
  readonly #known: KnownSecrets | undefined;
  /** Objects that the value at hand lies in. */
  readonly #above: object[] = [];

  constructor(masker: Masker | undefined, known: KnownSecrets | undefined, limit: number, cut: Cut) {
    this.#masker = masker;
    this.#known = known;
    this.#left = limit;
    this.#cut = cut;
  }

  /** It took more than the limit: what was written is of no use. */
  get full(): boolean {
    return this.#left < 0;
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
  #text(value: string, most = this.#cut.text): string {
    if (!this.#masker) return value;
    // Of what is too large in any case, no more is masked than tells so.
    const room = Math.min(most, Math.max(this.#left, 0));
    const masked = this.#masker.head(value, room);
    const isCut = value.length > most;
    const text = isCut ? `${whole(masked)}${MARK} (${value.length - most} more characters)` : masked;
    this.truncated ||= isCut;
    this.#left -= value.length > room && !isCut ? Infinity : encodedLength(text) + 3;
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
    if (depth >= this.#cut.depth) {
      this.truncated = true;
      return this.#take(depth >= DEEPEST ? null : MARK);
    }
    if (Array.isArray(value)) return this.#list(value, depth);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) return this.#live(value);
    const result: Record<string, Json> = {};
    this.#left -= 2;
    this.#above.push(value);
    const keys = Object.keys(value);
    for (const key of this.#some(keys, this.#cut.keys)) {
      const part = partOf(value, key);
      if (part === undefined) continue;
      if (this.full) break;
      const name = this.#text(key, Math.max(this.#cut.text, 256));
      this.#left -= 2;
      define(result, name, this.write(part, depth + 1));
    }
    const more = keys.length - this.#cut.keys;
    if (more > 0) define(result, this.#take(MARK), this.#take(`${more} more keys`));
    this.#above.pop();
    return result;
  }

  #list(value: readonly unknown[], depth: number): Json {
    const result: Json[] = [];
    this.#left -= 2;
    this.#above.push(value);
    for (const part of this.#some(value, this.#cut.items)) {
      if (this.full) break;
      result.push(this.write(part, depth + 1));
    }
    const more = value.length - this.#cut.items;
    if (more > 0) result.push(this.#take(`${MARK} (${more} more)`));
    this.#above.pop();
    return result;
  }

  #some<Part>(parts: readonly Part[], most: number): readonly Part[] {
    if (parts.length <= most) return parts;
    this.truncated = true;
    return parts.slice(0, most);
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

/** Without half of a character at its end. */
function whole(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.slice(0, -1) : text;
}
