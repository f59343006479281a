import type { SchemaTree } from 'hyparquet';

import type { Json } from '#schemas/types/json.ts';

import { decoderOf, type Decode } from './leaf.ts';
import { isList, isMap } from './raw-schema.ts';
import { ownName } from './stand-in.ts';

/** Decoder of the values of a top column to JSON, whatever is nested in it. */
export function columnDecoder(node: SchemaTree): Decode {
  const of = node.element.repetition_type === 'REPEATED' ? listOf(inner(node)) : inner(node);
  return (raw) => (raw === undefined || raw === null ? null : of(raw));
}

function inner(node: SchemaTree): Decode {
  const { element, children } = node;
  if (element.logical_type?.type === 'VARIANT') return anything;
  const [only] = children;
  if (!only) return decoderOf(element);
  if (isMap(element) && only.children.length === 2) return mapOf(only);
  if (isList(element) && children.length === 1) return listOf(elementOf(only));
  return structOf(children.map((child) => [child.element.name, columnDecoder(child)] as const));
}

/** The repeated group of a list stands for its elements, or holds them one level below. */
function elementOf(repeated: SchemaTree): Decode {
  const [only] = repeated.children;
  return only && repeated.children.length === 1 ? columnDecoder(only) : inner(repeated);
}

function listOf(of: Decode): Decode {
  return (raw) => Array.from(raw as ArrayLike<unknown>, (one) => (one === undefined || one === null ? null : of(one)));
}

function structOf(fields: readonly (readonly [name: string, of: Decode])[]): Decode {
  return (raw) =>
    Object.fromEntries(fields.map(([name, of]) => [ownName(name), of((raw as Record<string, unknown>)[name])]));
}

/** Keys as JSON tells them, as text; of equal ones the last counts, as the format says. */
function mapOf(pairs: SchemaTree): Decode {
  const [key, value] = pairs.children;
  if (!key || !value) throw new TypeError('a map without keys or values');
  const keyOf = columnDecoder(key);
  const valueOf = columnDecoder(value);
  return (raw) => {
    const list = (raw as Record<string, ArrayLike<Record<string, unknown>> | undefined>)[pairs.element.name] ?? [];
    return Object.fromEntries(
      Array.from(list, (pair) => [String(keyOf(pair[key.element.name])), valueOf(pair[value.element.name])]),
    );
  };
}

/** JSON of a value that the library has read by itself, from a column whose type stands beside each value. */
function anything(raw: unknown): Json {
  if (raw === undefined || raw === null) return null;
  if (typeof raw === 'bigint') return Number.isSafeInteger(Number(raw)) ? Number(raw) : String(raw);
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : String(raw);
  if (raw instanceof Date) return raw.toISOString();
  if (raw instanceof Uint8Array) return Buffer.from(raw).toString('base64');
  if (Array.isArray(raw)) return raw.map(anything);
  if (typeof raw === 'object')
    return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, anything(value)]));
  return raw as Json;
}
