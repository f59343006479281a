import type { SchemaElement } from 'hyparquet';

import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { daysOf, microsOf } from './moments.ts';
import type { ParquetColumn, ParquetType } from './port.ts';

/** Thrown where a value does not fit; the caller knows column and row. */
export class Unfit extends Error {
  readonly value: Json;
  readonly kind: string;

  constructor(value: Json, kind: string) {
    super('unfit');
    this.value = value;
    this.kind = kind;
  }
}

/** A value as the writer takes it: exact, and without anything that the writer would turn into something else. */
export function encode(value: Json, type: ParquetType): unknown {
  if (value === null) return undefined;
  switch (type.kind) {
    case 'list':
      if (!Array.isArray(value)) throw new Unfit(value, 'list');
      return value.map((one) => encode(one, type.of));
    case 'struct':
      if (!isObject(value)) throw new Unfit(value, 'object');
      return Object.fromEntries(
        type.fields.map(({ name, type: of }) => [
          name,
          encode(Object.hasOwn(value, name) ? (value[name] ?? null) : null, of),
        ]),
      );
    case 'json':
      return value;
    default: {
      const found = scalar(value, type);
      if (found === undefined) throw new Unfit(value, nameOf(type));
      return found;
    }
  }
}

type Scalar = Exclude<ParquetType, { readonly kind: 'list' | 'struct' }>;

function scalar(value: Json, type: Scalar): unknown {
  switch (type.kind) {
    case 'text':
      return typeof value === 'string' && value.isWellFormed() ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
      return integer(value);
    case 'number':
      return typeof value === 'number' ? value : specials.get(value);
    case 'date':
      return typeof value === 'string' ? daysOf(value) : undefined;
    case 'timestamp':
    case 'local-timestamp':
      return typeof value === 'string' ? microsOf(value, type.kind === 'timestamp') : undefined;
    case 'decimal':
      return decimal(value, type);
    case 'binary':
      return typeof value === 'string' ? bytesOf(value) : undefined;
    default:
      return undefined;
  }
}

const specials: ReadonlyMap<Json, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

function integer(value: Json): bigint | undefined {
  const isWhole =
    typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'string' && /^-?\d{1,19}$/.test(value);
  if (!isWhole) return undefined;
  const number = BigInt(value as string | number);
  return BigInt.asIntN(64, number) === number ? number : undefined;
}

/** The digits without their point; undefined where there are more than fit. */
function decimal(
  value: Json,
  { precision, scale }: Extract<ParquetType, { readonly kind: 'decimal' }>,
): bigint | undefined {
  const [, sign, whole = '', fraction = ''] =
    /^(-?)(\d+)(?:\.(\d+))?$/.exec(
      typeof value === 'number' ? withoutExponent(value) : typeof value === 'string' ? value : '',
    ) ?? [];
  if (sign === undefined || /[^0]/.test(fraction.slice(scale))) return undefined;
  const digits = `${whole}${fraction.slice(0, scale).padEnd(scale, '0')}`.replace(/^0+(?=\d)/, '');
  return digits.length > precision ? undefined : BigInt(`${sign}${digits}`);
}

/** Text of a number in the digits that tell it from all other numbers. */
function withoutExponent(value: number): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  if (exponent === undefined) return String(value);
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  return point <= 0
    ? `${sign}0.${'0'.repeat(-point)}${digits}`
    : `${sign}${digits.slice(0, point).padEnd(point, '0')}.${digits.slice(point) || '0'}`;
}

function bytesOf(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? new Uint8Array(bytes) : undefined;
}

function nameOf(type: ParquetType): string {
  return type.kind === 'decimal' ? `decimal(${type.precision},${type.scale})` : type.kind;
}

/** The schema of a column, itself first, as the format lays it out. Everything may be null. */
export function elementsOf({ name, type }: ParquetColumn): SchemaElement[] {
  const base = { name, repetition_type: 'OPTIONAL' } as const;
  switch (type.kind) {
    case 'text':
      return [{ ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }];
    case 'boolean':
      return [{ ...base, type: 'BOOLEAN' }];
    case 'integer':
      return [{ ...base, type: 'INT64' }];
    case 'number':
      return [{ ...base, type: 'DOUBLE' }];
    case 'date':
      return [{ ...base, type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } }];
    case 'timestamp':
      return [
        {
          ...base,
          type: 'INT64',
          converted_type: 'TIMESTAMP_MICROS',
          logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
        },
      ];
    case 'local-timestamp':
      return [{ ...base, type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } }];
    case 'json':
      return [{ ...base, type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } }];
    case 'binary':
      return [{ ...base, type: 'BYTE_ARRAY' }];
    case 'decimal':
      return [
        {
          ...base,
          ...decimalStorage(type.precision),
          converted_type: 'DECIMAL',
          precision: type.precision,
          scale: type.scale,
          logical_type: { type: 'DECIMAL', precision: type.precision, scale: type.scale },
        },
      ];
    case 'list':
      return [
        { ...base, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...elementsOf({ name: 'element', type: type.of }),
      ];
    case 'struct':
      return [{ ...base, num_children: type.fields.length }, ...type.fields.flatMap(elementsOf)];
  }
}

/** The smallest form that holds so many digits. */
function decimalStorage(precision: number): Pick<SchemaElement, 'type' | 'type_length'> {
  if (precision <= 9) return { type: 'INT32' };
  if (precision <= 18) return { type: 'INT64' };
  return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: Math.ceil((precision * Math.log2(10) + 1) / 8) };
}
