import type { SchemaElement } from 'hyparquet';

import type { Json } from '#schemas/types/json.ts';

import { dateText, intervalText, timeText, timestampText } from './moments.ts';

/** Makes JSON of a value as it stands in the file: a number, a bigint, a boolean or bytes. */
export type Decode = (raw: unknown) => Json;

type Unit = 'MILLIS' | 'MICROS' | 'NANOS';
const digits: Readonly<Record<Unit, 3 | 6 | 9>> = { MILLIS: 3, MICROS: 6, NANOS: 9 };

/** Decoder of a column's values to JSON: exactly, as text where a number would not be exact. */
export function decoderOf(element: SchemaElement): Decode {
  const { type } = element;
  return (
    annotated(element) ??
    (type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY' ? once(base64) : type === 'INT96' ? int96 : plain)
  );
}

function annotated({
  converted_type: converted,
  logical_type: logical,
  scale,
  type,
}: SchemaElement): Decode | undefined {
  switch (logical?.type) {
    case 'STRING':
    case 'ENUM':
    case 'JSON':
      return once(text);
    case 'UUID':
      return uuid;
    case 'FLOAT16':
      return float16;
    case 'DATE':
      return (days) => dateText(Number(days));
    case 'TIME':
      return (raw) => timeText(BigInt(raw as number | bigint), digits[logical.unit]);
    case 'TIMESTAMP':
      return (raw) => timestampText(BigInt(raw as bigint), digits[logical.unit], logical.isAdjustedToUTC);
    case 'DECIMAL':
      return (raw) => decimal(raw, logical.scale);
    case 'INTEGER':
      return logical.isSigned ? plain : unsigned(type);
    default:
  }
  switch (converted) {
    case 'UTF8':
    case 'ENUM':
    case 'JSON':
      return once(text);
    case 'DATE':
      return (days) => dateText(Number(days));
    case 'TIME_MILLIS':
    case 'TIME_MICROS':
      return (raw) => timeText(BigInt(raw as number | bigint), converted === 'TIME_MILLIS' ? 3 : 6);
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS':
      return (raw) => timestampText(BigInt(raw as bigint), converted === 'TIMESTAMP_MILLIS' ? 3 : 6, true);
    case 'DECIMAL':
      return (raw) => decimal(raw, scale ?? 0);
    case 'UINT_32':
    case 'UINT_64':
      return unsigned(type);
    case 'INTERVAL':
      return (raw) => intervalText(raw as Uint8Array);
    default:
      return undefined;
  }
}

function plain(raw: unknown): Json {
  if (typeof raw === 'bigint') return whole(raw);
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : String(raw);
  return raw as boolean;
}

/** A number where that is exact, else text. */
function whole(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function unsigned(type: SchemaElement['type']): Decode {
  return type === 'INT64' ? (raw) => whole(BigInt.asUintN(64, BigInt(raw as bigint))) : (raw) => Number(raw) >>> 0;
}

/** Texts of dictionaries stand in many rows: long ones are made once. */
const LONG = 64;

function once(decode: (bytes: Uint8Array) => string): Decode {
  const made = new WeakMap<Uint8Array, string>();
  return (raw) => {
    const bytes = raw as Uint8Array;
    if (bytes.length < LONG) return decode(bytes);
    const text = made.get(bytes) ?? decode(bytes);
    made.set(bytes, text);
    return text;
  };
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function text(bytes: Uint8Array): string {
  return strict.decode(bytes);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function uuid(raw: unknown): string {
  return Buffer.from(raw as Uint8Array)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function float16(raw: unknown): Json {
  const [low = 0, high = 0] = raw as Uint8Array;
  const sign = high >> 7 === 1 ? -1 : 1;
  const exponent = (high >> 2) & 0x1f;
  const fraction = (((high & 3) << 8) | low) / 1024;
  if (exponent === 0x1f) return fraction === 0 ? String(sign * Infinity) : 'NaN';
  return exponent === 0 ? sign * 2 ** -14 * fraction : sign * 2 ** (exponent - 15) * (1 + fraction);
}

/** A moment in nanoseconds, written by old programs: the zone is not told. */
function int96(raw: unknown): string {
  return timestampText(raw as bigint, 9, false);
}

function decimal(raw: unknown, scale: number): string {
  const value = raw instanceof Uint8Array ? signed(raw) : BigInt(raw as number | bigint);
  const all = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const sign = value < 0n ? '-' : '';
  return scale <= 0 ? `${sign}${all}${'0'.repeat(-scale)}` : `${sign}${all.slice(0, -scale)}.${all.slice(-scale)}`;
}

/** Big-endian, two's complement. */
function signed(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}
