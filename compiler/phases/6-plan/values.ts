import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Value } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';

import type { Tokens } from '../4-resolve/tokens.ts';

/** A written value as a plan holds it: references in pieces, everything else a literal. */
export function valueOf(written: Json, schema: JsonObject, tokens: Tokens): Value {
  if (typeof written === 'string') return textValue(written, schema, tokens);
  if (isList(written)) {
    const items = written.map((item, index) => valueOf(item, schemaAt(schema, index), tokens));
    return items.every(isLiteral) ? { lit: items.map(({ lit }) => lit) } : { list: items };
  }
  if (isObject(written)) {
    const entries = Object.entries(written).map(
      ([key, item]) => [key, valueOf(item, schemaAt(schema, key), tokens)] as const,
    );
    return entries.every(isLiteralEntry)
      ? { lit: Object.fromEntries(entries.map(([key, { lit }]) => [key, lit])) }
      : { map: entries };
  }
  return { lit: written };
}

type Literal = { readonly lit: Json };

function isLiteral(value: Value): value is Literal {
  return 'lit' in value;
}

function isLiteralEntry(entry: readonly [string, Value]): entry is readonly [string, Literal] {
  return isLiteral(entry[1]);
}

function textValue(written: string, schema: JsonObject, tokens: Tokens): Value {
  const parsed = tokens.text(written);
  if (parsed === undefined) return { lit: written };
  const { parts } = parsed;
  if (parts.every((part) => typeof part === 'string')) return { lit: parts.join('') };
  const [only, second] = parts;
  if (only === undefined || typeof only === 'string' || second !== undefined) return { text: parts };
  return { ref: only, ...readAs(only, schema) };
}

/**
 * Text from outside is read as JSON where only numbers or booleans are taken; those are written as JSON where only text
 * is.
 */
function readAs(_ref: Ref, schema: JsonObject): { readonly as?: 'text' | 'json' } {
  const types = typesIn(schema);
  if (types === undefined) return {};
  const others = types.filter((type) => type !== 'null');
  if (others.length === 0) return {};
  if (others.every((type) => type === 'string')) return { as: 'text' };
  return others.every((type) => type === 'number' || type === 'integer' || type === 'boolean') ? { as: 'json' } : {};
}

/** All types that a schema takes; undefined: any. */
function typesIn(schema: JsonObject): readonly string[] | undefined {
  const { type, enum: values, anyOf, oneOf } = schema;
  if (typeof type === 'string') return [type];
  if (isList(type)) return type.map(String);
  if (isList(values)) return values.map((value) => (value === null ? 'null' : isList(value) ? 'array' : typeof value));
  const branches = isList(anyOf) ? anyOf : isList(oneOf) ? oneOf : undefined;
  if (branches === undefined) return undefined;
  const each = branches.map((branch) => (isObject(branch) ? typesIn(branch) : undefined));
  return each.every((types) => types !== undefined) ? each.flat() : undefined;
}

const ANY: JsonObject = {};

/** The schema of an element or a property, as far as it is plain. */
function schemaAt(schema: JsonObject, piece: string | number): JsonObject {
  const { properties, additionalProperties, prefixItems, items, anyOf, oneOf } = schema;
  const own =
    typeof piece === 'number'
      ? ((isList(prefixItems) ? prefixItems[piece] : undefined) ?? items)
      : isObject(properties) && Object.hasOwn(properties, piece)
        ? properties[piece]
        : additionalProperties;
  if (isObject(own)) return own;
  const branches = isList(anyOf) ? anyOf : isList(oneOf) ? oneOf : [];
  const inside = branches
    .filter(isObject)
    .map((branch) => schemaAt(branch, piece))
    .find((found) => found !== ANY);
  return inside ?? ANY;
}
