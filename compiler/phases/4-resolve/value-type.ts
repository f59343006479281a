import type { Label } from '#schemas/types/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/** Type of a value: schemas of which one holds. */
export type Type = readonly JsonObject[];

/** JSON types that a reference may stand for, and the places where its value comes from. */
export interface KnownValue {
  readonly types: ReadonlySet<string>;
  readonly places: () => readonly Label[];
}

/** Keyword of a type that a document outside declares: what it does not name is a doubt, no mistake. */
export const DECLARED_BY = 'x-declared-by';

/** Nothing is known. */
export const ANY: Type = [{}];
export const TEXT: Type = [{ type: 'string' }];

/** Number of different schemas that a type holds at most before nothing is known any more. */
const MOST_CASES = 16;
/** Number of items of a list that are looked at, and greatest depth. */
const MOST_ITEMS = 200;
const DEEPEST = 12;

/** Either of several types. */
export function union(types: readonly Type[]): Type {
  const cases = new Map<string, JsonObject>();
  for (const type of types)
    for (const schema of type) {
      if (isAny(schema)) return ANY;
      cases.set(JSON.stringify(schema), schema);
      if (cases.size > MOST_CASES) return ANY;
    }
  return cases.size === 0 ? ANY : [...cases.values()];
}

export function isUnknown(type: Type): boolean {
  return type.some(isAny);
}

function isAny(schema: JsonObject): boolean {
  return !('type' in schema || 'anyOf' in schema || 'oneOf' in schema || 'const' in schema || 'enum' in schema);
}

/** The type of a value that is written: objects have the members that are written, and no others. */
export function typeOfJson(value: Json, depth = 0): Type {
  if (value === null) return [{ type: 'null' }];
  if (typeof value === 'string') return TEXT;
  if (typeof value === 'boolean') return [{ type: 'boolean' }];
  if (typeof value === 'number') return [{ type: Number.isInteger(value) ? 'integer' : 'number' }];
  if (depth > DEEPEST) return ANY;
  if (isList(value))
    return listOf(value.length > MOST_ITEMS ? ANY : union(value.map((item) => typeOfJson(item, depth + 1))));
  return objectOf(Object.entries(value).map(([key, item]) => [key, typeOfJson(item, depth + 1)] as const));
}

export function listOf(items: Type): Type {
  return [{ type: 'array', items: asSchema(items) }];
}

export function objectOf(members: readonly (readonly [key: string, type: Type])[]): Type {
  const properties = Object.fromEntries(members.map(([key, type]) => [key, asSchema(type)]));
  return [{ type: 'object', properties, additionalProperties: false }];
}

/** One schema for a type. */
export function asSchema(type: Type): JsonObject {
  const [only, second] = type;
  return second === undefined ? (only ?? {}) : { anyOf: type };
}

/**
 * The schema of an input as a type: what it does not rule out may be there. Texts from the command line are read as
 * JSON where a parameter wants that, so that a text may be a number too.
 */
export function typeOfInput(schema: JsonObject): Type {
  return [opened(schema, 0)];
}

function opened(schema: JsonObject, depth: number): JsonObject {
  const { type, properties, items, anyOf, oneOf } = schema;
  if (depth > DEEPEST || 'const' in schema || 'enum' in schema || 'prefixItems' in schema) return {};
  const choices = anyOf ?? oneOf;
  if (isList(choices)) return { anyOf: choices.map((each) => (isObject(each) ? opened(each, depth + 1) : {})) };
  if (type === undefined) return {};
  const types = isList(type) ? type : [type];
  return {
    type: types.includes('string') ? [...new Set([...types, 'number', 'boolean'])] : type,
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, each]) => [key, isObject(each) ? opened(each, depth + 1) : {}]),
      ),
    }),
    ...(types.includes('object') && { additionalProperties: schema['additionalProperties'] === false ? false : {} }),
    ...(isObject(items) && { items: opened(items, depth + 1) }),
  };
}

/** Type at the end of a path; undefined where nothing can stand there. */
export function typeAt(type: Type, path: Route): Type | undefined {
  let here = type;
  for (const piece of path) {
    const next = memberOf(here, piece);
    if (next === undefined) return undefined;
    here = next;
  }
  return here;
}

/** Type at a key or an index; undefined where nothing can stand there. */
export function memberOf(type: Type, piece: string | number): Type | undefined {
  const inside = casesOf(type).map((schema) => below(schema, piece));
  if (inside.includes('open')) return ANY;
  const found = inside.filter((each) => each !== 'none' && each !== 'open');
  return found.length === 0 ? undefined : found;
}

/** The items that a loop goes over. */
export function itemsOf(type: Type): Type {
  return union(
    casesOf(type).map((schema): Type => {
      const { type: word, items, properties, additionalProperties: others } = schema;
      if (word === 'array') return isObject(items) && schema['prefixItems'] === undefined ? [items] : ANY;
      if (word !== 'object') return ANY;
      const named = isObject(properties)
        ? Object.values(properties).map((each): Type => (isObject(each) ? [each] : ANY))
        : [];
      const value = others === false && named.length > 0 ? union(named) : ANY;
      return objectOf([
        ['key', TEXT],
        ['value', value],
      ]);
    }),
  );
}

/** Its schemas, those of `anyOf` and `oneOf` one by one. */
export function casesOf(type: Type): readonly JsonObject[] {
  return type.flatMap(alternatives);
}

function alternatives(schema: JsonObject): readonly JsonObject[] {
  const choices = schema['anyOf'] ?? schema['oneOf'];
  return isList(choices) ? choices.filter(isObject).flatMap(alternatives) : [schema];
}

/** The schema of what stands at a key or an index; `open` where a run decides, `none` where nothing can stand there. */
function below(schema: JsonObject, piece: string | number): JsonObject | 'open' | 'none' {
  const { type, properties, additionalProperties: others, items, prefixItems } = schema;
  const types = isList(type) ? type : [type];
  if (type === undefined || 'const' in schema || 'enum' in schema) return 'open';
  if (types.includes('array')) {
    if (types.includes('object')) return 'open';
    const isIndex = typeof piece === 'number' || /^\d+$/.test(piece);
    return isIndex ? orOpen(prefixItems === undefined ? items : undefined) : 'none';
  }
  if (!types.includes('object')) return 'none';
  const key = String(piece);
  if (isObject(properties) && Object.hasOwn(properties, key)) return orOpen(properties[key]);
  // Where fields are declared, they are all that there are.
  if (others === false || (others === undefined && properties !== undefined)) return 'none';
  return orOpen(others);
}

function orOpen(schema: Json | undefined): JsonObject | 'open' {
  return isObject(schema) ? schema : 'open';
}

/** A path that leads nowhere. */
export interface NoMember {
  /** Index in the path of the first piece that cannot be there. */
  readonly index: number;
  /** Members that stand there instead. */
  readonly members: readonly string[];
  /** Type of the value in which the member is missing. */
  readonly type: Type;
}

export function noMember(type: Type, path: Route): NoMember | undefined {
  let here = type;
  for (const [index, piece] of path.entries()) {
    const next = memberOf(here, piece);
    if (next === undefined) return { index, members: [...new Set(casesOf(here).flatMap(fieldsOf))], type: here };
    here = next;
  }
  return undefined;
}

/** Index in a path of the first piece that some of the values lack which were written; undefined where none does. */
export function maybeNoMember(type: Type, path: Route): number | undefined {
  let here = type;
  for (const [index, piece] of path.entries()) {
    const inside = casesOf(here).map((schema) => [schema, below(schema, piece)] as const);
    if (inside.some(([, found]) => found === 'open')) return undefined;
    if (inside.some(([schema, found]) => found === 'none' && isWritten(schema))) return index;
    here = inside.flatMap(([, found]) => (found === 'none' || found === 'open' ? [] : [found]));
  }
  return undefined;
}

/** Whether a schema is that of an object as it is written: declarations say more of theirs. */
function isWritten({ type, additionalProperties, required, description }: JsonObject): boolean {
  return type === 'object' && additionalProperties === false && required === undefined && description === undefined;
}

/** The document that declares a type, in words. */
export function declarerOf(type: Type): string | undefined {
  const [found] = casesOf(type).flatMap((schema) => schema[DECLARED_BY] ?? []);
  return typeof found === 'string' ? found : undefined;
}

function fieldsOf({ properties }: JsonObject): readonly string[] {
  return isObject(properties) ? Object.keys(properties) : [];
}

/** The JSON types that a value may have; undefined: any. */
export function jsonTypesOf(type: Type): ReadonlySet<string> | undefined {
  const all = new Set<string>();
  for (const { type: word } of casesOf(type)) {
    if (word === undefined) return undefined;
    for (const each of isList(word) ? word : [word]) all.add(String(each));
  }
  return all;
}
