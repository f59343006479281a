import type { Json } from '#schemas/types/json.ts';

import { Unknown } from '../values/surroundings.ts';
import type { Masker } from './masker.ts';

/** Bytes of JSON that a record holds of one value. */
export const RESULT_LIMIT = 64 * 1024;
const DEEPEST = 64;
/** Texts up to this many characters are never cut. */
const LEAST_CUT = 64;
/** Masked texts that are kept. */
const MOST_KEPT = 1024;

export interface Recordable {
  readonly json: Json;
  readonly truncated: boolean;
}

/** Values that one step knows to be secret by where they come from, with what is shown instead. */
export type KnownSecrets = ReadonlyMap<unknown, string>;

/**
 * A value as it is written: JSON of at most `limit` bytes, secrets hidden, live objects as `{"$handle": kind}`.
 * A value that is too large keeps its structure: long texts are cut, then long lists, each with a mark.
 * Undefined where there is no value.
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
  const seen = nothingSeen();
  const writer = (cut: Cut): Writer => new Writer({ masker, known, limit, cut, seen });
  const attempt = (cut: Cut): Recordable | undefined => written(value, writer(cut));
  const whole = writer(WHOLE);
  return (
    written(value, whole) ??
    (!import.meta.withoutForms && seen.longest === 0 ? beginning(whole) : undefined) ??
    largest(LEAST_CUT, Math.min(limit, seen.longest), (text) => attempt({ ...WHOLE, text })) ??
    largest(1, Math.min(limit, seen.widest), (items) => attempt({ ...WHOLE, text: 256, items })) ??
    [16, 4, 1]
      .map((depth) => largest(1, limit, (keys) => attempt({ text: 64, items: 4, keys, depth })))
      .find((recorded) => recorded !== undefined) ?? { json: MARK, truncated: true }
  );
}

/** Result of `find` for the largest size below `most` that has one; undefined where the smallest has none. */
function largest<Found>(least: number, most: number, find: (size: number) => Found | undefined): Found | undefined {
  let found = least < most ? find(least) : undefined;
  if (found === undefined) return undefined;
  let [low, high] = [least, most];
  // Closer than a hundredth is of no use, and in a flat value the best is that much below what was too much.
  let middle = high - Math.max(1, Math.floor(high / 101));
  while (high - low > Math.max(1, low / 100)) {
    const better = find(middle);
    if (better === undefined) high = middle;
    else {
      found = better;
      low = middle;
    }
    middle = (low + high) >> 1;
  }
  return found;
}

/** Sizes to which a value that is too large is cut: long texts first, then lists, keys last. */
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

/** Facts met so far: a value that is too large is written again. */
interface Seen {
  /** Characters of the longest text, and parts of the longest list: cutting at these sizes or above cuts nothing. */
  longest: number;
  widest: number;
}

function nothingSeen(): Seen {
  return { longest: 0, widest: 0 };
}

interface Writing {
  readonly masker?: Masker;
  readonly known?: KnownSecrets | undefined;
  readonly limit: number;
  readonly cut: Cut;
  readonly seen: Seen;
}

/** Undefined where it takes more than the limit. */
function written(value: unknown, writer: Writer): Recordable | undefined {
  const json = writer.write(value, 0);
  return writer.full ? undefined : { json, truncated: writer.truncated };
}

/** A value as JSON, nothing hidden and nothing cut: what goes on inside the run. */
export function toJson(value: unknown): Json {
  return new Writer({ limit: Infinity, cut: WHOLE, seen: nothingSeen() }).write(value, 0);
}

class Writer {
  truncated = false;
  #left: number;
  readonly #cut: Cut;
  readonly #writing: Writing;
  /** Objects that the value at hand lies in. */
  readonly #above: object[] = [];
  /** The value where it is a list: its length, its parts so far, and the bytes that were left after each. */
  outer: { readonly length: number; readonly parts: readonly Json[]; readonly left: readonly number[] } | undefined;
  /** Parts of the longest list inside it. */
  widest = 0;

  constructor(writing: Writing) {
    this.#writing = writing;
    this.#left = writing.limit;
    this.#cut = writing.cut;
  }

  /** Whether it took more than the limit: what was written is of no use then. */
  get full(): boolean {
    return this.#left < 0;
  }

  write(value: unknown, depth: number): Json {
    const hidden = this.#writing.known?.get(value);
    if (hidden !== undefined) return this.#text(hidden);
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return this.#take(shownNumber(value, this.#writing.masker));
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
    this.#left -=
      (!import.meta.withoutForms && typeof scalar === 'number' ? String(scalar) : JSON.stringify(scalar)).length + 1;
    return scalar;
  }

  /** Masked before it is cut: half a secret would be left in sight otherwise. */
  #text(value: string, most = this.#cut.text): string {
    const { masker, seen } = this.#writing;
    if (!masker) return value;
    // Where there is little to mask, results are small.
    if (!import.meta.withoutForms && value.length <= LEAST_CUT) {
      const kept = (masker.short ??= new Map());
      let short = kept.get(value);
      if (!short) {
        const text = masker.text(value);
        short = { text, bytes: encodedLength(text) };
        if (kept.size === MOST_KEPT) kept.clear();
        kept.set(value, short);
      }
      this.#left -= short.bytes + 3;
      return short.text;
    }
    seen.longest = Math.max(seen.longest, value.length);
    // A text that is too large in any case is masked only as far as needed to tell so.
    const room = Math.min(most, Math.max(this.#left, 0));
    const masked = masker.head(value, room);
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
    const { seen } = this.#writing;
    this.#left -= 2;
    this.#above.push(value);
    const left: number[] = [];
    for (const part of this.#some(value, this.#cut.items)) {
      if (this.full) break;
      result.push(this.write(part, depth + 1));
      if (!import.meta.withoutForms && depth === 0) left.push(this.#left);
    }
    if (!import.meta.withoutForms)
      if (depth === 0) this.outer = { length: value.length, parts: result, left };
      else this.widest = Math.max(this.widest, result.length);
    seen.widest = Math.max(seen.widest, result.length);
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

/** Parts of a list that was too large, as many as there is room for, with a mark; undefined without such parts. */
function beginning({ outer, widest }: Writer): Recordable | undefined {
  if (!outer) return undefined;
  const { length, parts, left } = outer;
  const markOf = (more: number): string => `${MARK} (${more} more)`;
  const count = left.findLastIndex((room, index) => room > JSON.stringify(markOf(length - index - 1)).length);
  if (count < widest) return undefined;
  return { json: [...parts.slice(0, count + 1), markOf(length - count - 1)], truncated: true };
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

/** Text that is written as it is, a byte a character: one look at it takes a tenth of the time of encoding it. */
const plain = /^[ !#-[\]-~]*$/;

/** Bytes of a text in JSON, without its quotes. */
function encodedLength(text: string): number {
  return plain.test(text) ? text.length : new TextEncoder().encode(JSON.stringify(text)).length - 2;
}

/** The text less half a character (a lone surrogate) at its end. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '');
}
