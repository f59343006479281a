import type { Json } from '#schemas/types/json.ts';

/**
 * Messages as one line of JSON each. What JSON has no form for stands as an object with one key of ours, and so does an
 * object of a user that has such a key itself: bytes (pictures), moments, numbers that are none, and `undefined` in
 * lists.
 */
const BYTES = '$svc:bytes';
const DATE = '$svc:date';
const NUMBER = '$svc:number';
const ABSENT = '$svc:absent';
const OBJECT = '$svc:object';
const OURS = '$svc:';

/** Throws a `TypeError` for values that hold themselves or functions. */
export function encode(message: unknown): string {
  return JSON.stringify(message, replaced);
}

/** Fails as `JSON.parse` does. */
export function decode(line: string): Json {
  return (line.includes(`"${OURS}`) ? JSON.parse(line, revived) : JSON.parse(line)) as Json;
}

/**
 * Whether a value comes back from `encode` and `decode` as what it was: data, and nothing that lives in this process.
 */
export function canCross(value: unknown): boolean {
  return isData(value, new Set());
}

function isData(value: unknown, around: ReadonlySet<object>): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return ['string', 'number', 'boolean'].includes(typeof value);
  if (value instanceof Uint8Array || value instanceof Date) return true;
  const proto: unknown = Object.getPrototypeOf(value);
  if (around.has(value) || (!Array.isArray(value) && proto !== Object.prototype && proto !== null)) return false;
  const within = new Set([...around, value]);
  return Object.values(value).every((part) => isData(part, within));
}

/** The value itself is looked at, before `toJSON` of bytes and moments has changed it. */
function replaced(this: Readonly<Record<string, unknown>>, key: string, given: unknown): unknown {
  const value = this[key];
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { [NUMBER]: Object.is(value, -0) ? '-0' : `${value}` };
    case 'undefined':
      return Array.isArray(this) ? { [ABSENT]: true } : undefined;
    case 'function':
    case 'symbol':
    case 'bigint':
      throw new TypeError(`a ${typeof value} cannot be sent`);
    case 'object':
      return value === null ? null : replacedObject(value, given);
    default:
      return value;
  }
}

function replacedObject(value: object, given: unknown): unknown {
  if (value instanceof Uint8Array)
    return { [BYTES]: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  if (value instanceof Date) return { [DATE]: value.getTime() };
  const entries = Object.entries(value);
  const [first] = entries;
  return first && entries.length === 1 && first[0].startsWith(OURS) ? { [OBJECT]: first } : given;
}

function revived(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // The sign for `undefined` has left a hole.
  if (Array.isArray(value)) return Array.from(value as readonly unknown[]);
  const [first, ...others] = Object.entries(value);
  return first && others.length === 0 ? ofOurs(first[0], first[1], value) : value;
}

function ofOurs(key: string, given: unknown, value: object): unknown {
  switch (key) {
    case BYTES:
      return new Uint8Array(Buffer.from(String(given), 'base64'));
    case DATE:
      return new Date(Number(given));
    case NUMBER:
      return Number(given);
    case ABSENT:
      return undefined;
    case OBJECT:
      return Object.fromEntries([given as readonly [string, unknown]]);
    default:
      return value;
  }
}
