import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { mergedParts } from './merged-parts.ts';
import { isMarked } from './one-sided.ts';
import { referenceOf, resolved } from './reference.ts';
import { canonical, isSame } from './schema-findings.ts';

/** One difference of two schemas, at a path such as `$.items[].id`. */
export interface SchemaChange {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly path: string;
  /** One sentence. */
  readonly what: string;
  readonly breaking: boolean;
}

/** Whether callers send the values of the schemas, or read them. */
export type Direction = 'request' | 'response';

/** Documents in which the references of the two schemas lead somewhere. */
export interface Documents {
  readonly left: JsonObject;
  readonly right: JsonObject;
}

/** References that are compared wherever they stand, outer ones first; of more, each pair is compared once. */
const REPEATED = 500;

/** All differences of two schemas as callers feel them. */
export function compareSchemas(
  old: Json | undefined,
  now: Json | undefined,
  direction: Direction,
  documents: Documents,
): readonly SchemaChange[] {
  const comparison = new SchemaComparison(direction, documents);
  return comparison.changes(old ?? {}, now ?? {});
}

interface SchemaPlace {
  readonly path: string;
  /** Pairs of references around this place. */
  readonly within: ReadonlySet<string>;
  /** Places, from the outside in, by which the changes are told. */
  readonly order: readonly number[];
}

interface Pair {
  readonly old: Json;
  readonly now: Json;
  readonly at: SchemaPlace;
}

class SchemaComparison {
  readonly #changes: (SchemaChange & Pick<SchemaPlace, 'order'>)[] = [];
  readonly #waiting: Pair[] = [];
  readonly #isRequest: boolean;
  readonly #left: JsonObject;
  readonly #right: JsonObject;
  readonly #seen = new Set<string>();
  #count = 0;

  constructor(direction: Direction, { left, right }: Documents) {
    this.#isRequest = direction === 'request';
    this.#left = left;
    this.#right = right;
  }

  /** Changes in the order of the schemas; what is near the outside is compared first. */
  changes(old: Json, now: Json): readonly SchemaChange[] {
    this.#waiting.push({ old, now, at: { path: '$', within: new Set(), order: [] } });
    for (const pair of this.#waiting) this.#compare(pair);
    return this.#changes.toSorted((a, b) => compareOrders(a.order, b.order)).map(({ order: _, ...change }) => change);
  }

  #schema(old: Json, now: Json, at: SchemaPlace): void {
    this.#waiting.push({ old, now, at: { ...at, order: [...at.order, this.#waiting.length] } });
  }

  #compare({ old: given, now: other, at }: Pair): void {
    const within = this.#entered(given, other, at.within);
    const [old, now] = [effective(given, this.#left), effective(other, this.#right)];
    if (!within || !isObject(old) || !isObject(now)) return;
    const place = { ...at, within };
    // Equal texts may still refer to parts that differ.
    if (canonical(old) === canonical(now) && !canonical(old).includes('"$ref"')) return;
    this.#types(old, now, place);
    this.#values(old, now, place);
    this.#limits(old, now, place);
    this.#properties(old, now, place);
    this.#further(old, now, place);
    if (old['items'] !== undefined && now['items'] !== undefined)
      this.#schema(old['items'], now['items'], { ...place, path: `${at.path}[]` });
    for (const key of ['allOf', 'anyOf', 'oneOf']) this.#parts(old[key], now[key], key, place);
  }

  /** The pairs around what the two lead to; undefined: it stands among them, or has been compared often enough. */
  #entered(old: Json, now: Json, within: ReadonlySet<string>): ReadonlySet<string> | undefined {
    const names = [referenceOf(old), referenceOf(now)];
    if (names.every((name) => name === undefined)) return within;
    const pair = JSON.stringify(names);
    this.#count += 1;
    if (within.has(pair) || (this.#count > REPEATED && this.#seen.has(pair))) return undefined;
    this.#seen.add(pair);
    return new Set([...within, pair]);
  }

  #types(old: JsonObject, now: JsonObject, at: SchemaPlace): void {
    const [before, after] = [typesOf(old), typesOf(now)];
    if (isSame(before, after)) return;
    const takes = (wide: readonly string[], narrow: readonly string[]): boolean =>
      wide.length === 0 ||
      (narrow.length > 0 &&
        narrow.every((type) => wide.includes(type) || (type === 'integer' && wide.includes('number'))));
    const breaking = this.#isRequest ? !takes(after, before) : !takes(before, after);
    const name = (types: readonly string[]): string => types.join(' or ') || 'anything';
    this.#add(at, 'changed', `type ${name(before)} has become ${name(after)}`, breaking);
  }

  #values(old: JsonObject, now: JsonObject, at: SchemaPlace): void {
    const [before, after] = [listed(old), listed(now)];
    if (!before && !after) return;
    if (!before || !after) {
      const what = after ? 'takes only a list of values now' : 'takes other values than those listed before now';
      this.#add(at, 'changed', what, this.#isRequest === (after !== undefined));
      return;
    }
    const [gone, come] = [before.filter(notIn(after)), after.filter(notIn(before))];
    if (gone.length > 0) this.#add(at, 'removed', `values ${JSON.stringify(gone)} are gone`, this.#isRequest);
    if (come.length > 0) this.#add(at, 'added', `values ${JSON.stringify(come)} are new`, false);
  }

  #limits(old: JsonObject, now: JsonObject, at: SchemaPlace): void {
    for (const [key, narrows] of Object.entries(limits)) {
      const [before, after] = [old[key] ?? null, now[key] ?? null];
      if (isSame(before, after)) continue;
      const isNarrower = after !== null && (before === null || narrows(before, after));
      const what = `${key} ${JSON.stringify(before)} has become ${JSON.stringify(after)}`;
      this.#add(at, 'changed', what, this.#isRequest && isNarrower && key !== 'format');
    }
  }

  #properties(old: JsonObject, now: JsonObject, at: SchemaPlace): void {
    const [before, after] = [this.#fields(old, this.#left), this.#fields(now, this.#right)];
    for (const [name, schema] of before) {
      const place = { ...at, path: `${at.path}.${name}` };
      const other = after.get(name);
      if (other === undefined) {
        this.#add(place, 'removed', 'is gone', this.#isRequest ? now['additionalProperties'] === false : true);
        continue;
      }
      const [was, is] = [isRequired(old, name), isRequired(now, name)];
      if (was !== is)
        this.#add(place, 'changed', is ? 'has become required' : 'is no longer required', is === this.#isRequest);
      this.#schema(schema, other, place);
    }
    for (const name of after.keys())
      if (!before.has(name)) {
        const isNeeded = isRequired(now, name);
        const place = { ...at, path: `${at.path}.${name}` };
        this.#add(place, 'added', isNeeded ? 'is new and required' : 'is new', this.#isRequest && isNeeded);
      }
  }

  /** Properties that this side sends, and those that are required without being described. */
  #fields({ properties, required }: JsonObject, document: JsonObject): ReadonlyMap<string, Json> {
    const mark = this.#isRequest ? 'readOnly' : 'writeOnly';
    const own = Object.entries(isObject(properties) ? properties : {});
    const named = new Set(own.map(([name]) => name));
    return new Map([
      ...own.filter(([, schema]) => !isMarked(schema, mark, document)),
      ...texts(required)
        .filter((name) => !named.has(name))
        .map((name) => [name, {}] as const),
    ]);
  }

  /** Properties beyond those that are named. */
  #further(old: JsonObject, now: JsonObject, at: SchemaPlace): void {
    const [before, after] = [old['additionalProperties'] ?? true, now['additionalProperties'] ?? true];
    if ((before === false) !== (after === false))
      this.#add(
        { ...at, path: `${at.path}.*` },
        'changed',
        after === false ? 'further properties are no longer allowed' : 'further properties are allowed now',
        this.#isRequest && after === false,
      );
    else if (!isSame(before, after) || isObject(before)) this.#schema(before, after, { ...at, path: `${at.path}.*` });
  }

  /** Compares parts by their place, but for those that are alike; a list of another length has changed as a whole. */
  #parts(old: Json | undefined, now: Json | undefined, key: string, at: SchemaPlace): void {
    const [before, after] = [partsOf(old), partsOf(now)];
    if (before.length === 0 && after.length === 0) return;
    if (before.length !== after.length) {
      const isMore = after.length > before.length;
      // Any choice at all is narrower than none.
      const isNarrower = key === 'allOf' || before.length === 0 || after.length === 0 ? isMore : !isMore;
      const what = `${key} has ${after.length} parts instead of ${before.length}`;
      this.#add(at, 'changed', what, this.#isRequest === isNarrower);
      return;
    }
    const isGone = notIn(after);
    const others = after.filter(notIn(before)).values();
    for (const part of before) this.#schema(part, isGone(part) ? (others.next().value ?? part) : part, at);
  }

  #add({ path, order }: SchemaPlace, kind: SchemaChange['kind'], what: string, breaking: boolean): void {
    this.#changes.push({ kind, path, what, breaking, order });
  }
}

function compareOrders(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((place, index) => place !== right[index]);
  return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}

type Narrows = (before: Json, after: Json) => boolean;

const higher: Narrows = (before, after) => Number(after) > Number(before);
const lower: Narrows = (before, after) => Number(after) < Number(before);

/** Keywords that bound values: whether the later value takes less than the earlier one. */
const limits: Readonly<Record<string, Narrows>> = {
  minimum: higher,
  maximum: lower,
  exclusiveMinimum: higher,
  exclusiveMaximum: lower,
  multipleOf: (before, after) => Number(before) % Number(after) !== 0,
  minLength: higher,
  maxLength: lower,
  minItems: higher,
  maxItems: lower,
  uniqueItems: (_, after) => after === true,
  minProperties: higher,
  maxProperties: lower,
  pattern: () => true,
  format: () => false,
};

/** The schema behind references and in one part, with bounds as those of 3.1 are written; `true` is an empty one. */
function effective(given: Json, document: JsonObject): Json {
  const schema = resolved(given, document);
  if (schema === true) return {};
  return isObject(schema) ? withNumbers(mergedParts(schema, document)) : schema;
}

/** `exclusiveMinimum: true` of 3.0 says of `minimum` what a number says by itself in 3.1. */
function withNumbers(schema: JsonObject): JsonObject {
  const changed: Record<string, Json> = {};
  for (const [key, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const isExclusive = schema[key];
    if (typeof isExclusive !== 'boolean') continue;
    changed[key] = isExclusive ? (schema[bound] ?? null) : null;
    if (isExclusive) changed[bound] = null;
  }
  return { ...schema, ...changed };
}

function listed({ enum: list, const: only }: JsonObject): readonly Json[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(list) ? (list as readonly Json[]) : undefined;
}

function notIn(list: readonly Json[]): (value: Json) => boolean {
  const known = new Set(list.map(canonical));
  return (value) => !known.has(canonical(value));
}

function isRequired({ required }: JsonObject, name: string): boolean {
  return texts(required).includes(name);
}

function texts(list: Json | undefined): readonly string[] {
  return partsOf(list).filter((item) => typeof item === 'string');
}

function partsOf(list: Json | undefined): readonly Json[] {
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

/** Sorted; `nullable` counts as a type. Empty: any. */
function typesOf({ type, nullable }: JsonObject): string[] {
  const types = Array.isArray(type) ? (type as readonly Json[]) : type === undefined ? [] : [type];
  const names = types.filter((name) => typeof name === 'string');
  return [...new Set([...names, ...(nullable === true && names.length > 0 ? ['null'] : [])])].toSorted();
}
