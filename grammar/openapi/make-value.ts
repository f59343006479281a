import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { namedAlternative, namedHeir } from './discriminator.ts';
import { saidExample, mergedAllOf } from './example-value.ts';
import { resolvedObject } from './reference.ts';
import { textOfPattern } from './pattern/text-of-pattern.ts';

/** Means of making a value: the document in which references are looked up, and the source of free choices. */
export interface Making {
  readonly document: JsonObject;
  /** Random number from 0 to below 1. */
  readonly chance: () => number;
  /**
   * Properties that are not required are left out, lists are as short as they may be: values that hold nothing but what
   * must be.
   */
  readonly small?: boolean;
  /** Numbers and truth values are chosen by chance as well; without it they are the plainest that fit. */
  readonly varied?: boolean;
}

/** A value that is being made, and what is in it so far: objects, and all values and characters. */
interface Started extends Making {
  readonly made: { count: number; size: number };
}

const DEEPEST = 12;
/** Objects that hold what may be left out; schemas that refer to each other in many ways stand for more. */
const MOST = 500;
/** Values and characters behind which lists, texts and objects get no longer: lists in lists multiply. */
const MOST_SIZE = 500_000;
/** Items of a list and properties of an object, and characters of a text, however many are asked for. */
const LONGEST_LIST = 1000;
const LONGEST_TEXT = 10_000;

/**
 * A value for a JSON Schema or a schema of an OpenAPI document: what it says itself (`const`, `enum`, `example`,
 * `default`), else one of its type within its bounds. A demand that no value can meet, or that only a search
 * could (`not`, `if`), is not seen: whoever needs to be sure checks the value.
 */
export function makeValue(given: Json | undefined, making: Making): Json {
  return made(given, { ...making, made: { count: 0, size: 0 } }, 0);
}

function made(given: Json | undefined, making: Started, depth: number): Json {
  const schema = mergedAllOf(resolvedObject(given, making.document), making.document);
  const said = saidExample(schema);
  if (said !== undefined) return said;
  const heir = heirOf(given, making, depth);
  if (heir) return made(heir, making, depth + 1);
  for (const keyword of ['oneOf', 'anyOf']) {
    const list = schema[keyword];
    if (!Array.isArray(list) || list.length === 0) continue;
    const { [keyword]: _alternatives, discriminator, ...rest } = schema;
    // Deep down the simplest one is taken, so that a tree ends.
    const picked = depth > DEEPEST / 2 ? simplest(list as Json[], making) : pick(list as Json[], making);
    const named = namedAlternative(picked, discriminator, making.document);
    const both = { allOf: [rest, named] };
    // The value says the name of its schema now: the discriminator has done its work.
    if (named !== picked) return made(withoutDiscriminator(both, making), making, depth + 1);
    return made(both, making, depth + 1);
  }
  return ofKind(kindOf(schema), schema, making, depth);
}

/** A schema that a discriminator tells apart, made to say its name. */
function heirOf(given: Json | undefined, making: Started, depth: number): JsonObject | undefined {
  const choose = (count: number): number => (depth > DEEPEST / 2 ? 0 : Math.floor(making.chance() * count));
  const heir = namedHeir(given, making.document, choose);
  return heir && withoutDiscriminator(heir, making);
}

function withoutDiscriminator(schema: JsonObject, { document }: Making): JsonObject {
  const { discriminator: _told, ...plain } = mergedAllOf(schema, document);
  return plain;
}

/** The type that a value gets: the named one that is not null, else what the keywords speak of. */
function kindOf(schema: JsonObject): string {
  const { type } = schema;
  const named = Array.isArray(type) ? ((type as readonly Json[]).find((name) => name !== 'null') ?? 'null') : type;
  if (typeof named === 'string') return named;
  const has = (...names: readonly string[]): boolean => names.some((name) => schema[name] !== undefined);
  if (has('properties', 'required', 'additionalProperties', 'minProperties')) return 'object';
  if (has('items', 'prefixItems', 'minItems', 'contains')) return 'array';
  if (has('minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum')) return 'number';
  return has('minLength', 'maxLength', 'pattern', 'format') ? 'string' : 'null';
}

function ofKind(kind: string, schema: JsonObject, making: Started, depth: number): Json {
  making.made.size += 1;
  switch (kind) {
    case 'object':
      return makeObject(schema, making, depth);
    case 'array':
      return makeList(schema, making, depth);
    case 'string':
      return counted(makeText(schema, making), making);
    case 'integer':
    case 'number':
      return makeNumber(schema, kind === 'integer', making);
    case 'boolean':
      return making.varied !== true || making.chance() < 0.5;
    default:
      return null;
  }
}

function counted(text: string, { made: all }: Started): string {
  all.size += text.length;
  return text;
}

function isFull({ made: { size } }: Started): boolean {
  return size > MOST_SIZE;
}

function makeObject(schema: JsonObject, making: Started, depth: number): Json {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(
    Array.isArray(schema['required']) ? (schema['required'] as Json[]).filter((name) => typeof name === 'string') : [],
  );
  // Optional parts are left out deep down: a schema that holds itself would have no end.
  const isSlim = making.small === true || depth > DEEPEST / 2 || making.made.count > MOST;
  const isOver = depth > DEEPEST || making.made.count > 2 * MOST;
  making.made.count += 1;
  const names = new Set([...Object.keys(properties).filter((name) => !isSlim || required.has(name)), ...required]);
  const extra = schema['additionalProperties'];
  const fields = Object.fromEntries(
    [...names].map((name) => [
      name,
      isOver ? null : made(properties[name] ?? (extra === false ? {} : extra), making, depth + 1),
    ]),
  );
  const least = Math.min(numberOf(schema['minProperties']) ?? 0, LONGEST_LIST);
  for (let index = 1, count = names.size; count < least && !isFull(making); index++) {
    if (Object.hasOwn(fields, `key${index}`)) continue;
    fields[`key${index}`] = made(isObject(extra) ? extra : { type: 'string' }, making, depth + 1);
    count += 1;
  }
  return fields;
}

function makeList(schema: JsonObject, making: Started, depth: number): Json {
  const prefix = Array.isArray(schema['prefixItems']) ? (schema['prefixItems'] as readonly Json[]) : [];
  const least = numberOf(schema['minItems']) ?? (schema['contains'] === undefined ? 0 : 1);
  const wanted = Math.max(least, making.small === true || depth > DEEPEST / 2 ? 0 : 1, prefix.length);
  const count = Math.min(wanted, numberOf(schema['maxItems']) ?? Infinity, LONGEST_LIST);
  const rest = isObject(schema['items']) ? schema['items'] : (schema['contains'] ?? { type: 'string' });
  const list: Json[] = [];
  const seen = new Set<string>();
  for (let tries = 0; list.length < count && tries < count * 20 && !isFull(making); tries++) {
    const item = made(prefix[list.length] ?? rest, making, depth + 1);
    const isUnique = schema['uniqueItems'] === true;
    const other = isUnique ? unlike(item, seen, resolvedObject(rest, making.document)) : item;
    if (other === undefined) continue;
    list.push(other);
    if (isUnique) seen.add(JSON.stringify(other));
  }
  return list;
}

/** A value that has not been seen yet: the same, another of an `enum`, another number, another text. */
function unlike(item: Json, seen: ReadonlySet<string>, schema: JsonObject): Json | undefined {
  const isNew = (value: Json): boolean => !seen.has(JSON.stringify(value));
  if (isNew(item)) return item;
  if (Array.isArray(schema['enum'])) return (schema['enum'] as readonly Json[]).find(isNew);
  if (typeof item === 'number') {
    const step = numberOf(schema['multipleOf']) ?? 1;
    return Array.from({ length: seen.size + 1 }, (_, index) => item + (index + 1) * step).find(isNew);
  }
  if (typeof item === 'boolean') return isNew(!item) ? !item : undefined;
  return typeof item === 'string' && schema['pattern'] === undefined ? `${item}${seen.size}` : undefined;
}

const byFormat: Readonly<Record<string, (making: Making) => string>> = {
  uuid: ({ chance }) => uuid(chance),
  email: ({ chance }) => `${word(chance, 8)}@example.com`,
  'idn-email': ({ chance }) => `${word(chance, 8)}@example.com`,
  date: () => '2024-01-01',
  'date-time': () => '2024-01-01T00:00:00Z',
  time: () => '12:00:00Z',
  duration: () => 'PT1H',
  uri: ({ chance }) => `https://example.com/${word(chance, 6)}`,
  url: ({ chance }) => `https://example.com/${word(chance, 6)}`,
  'uri-reference': ({ chance }) => `/${word(chance, 6)}`,
  iri: ({ chance }) => `https://example.com/${word(chance, 6)}`,
  hostname: ({ chance }) => `${word(chance, 6)}.example.com`,
  'idn-hostname': ({ chance }) => `${word(chance, 6)}.example.com`,
  ipv4: () => '192.0.2.1',
  ipv6: () => '2001:db8::1',
  'json-pointer': ({ chance }) => `/${word(chance, 6)}`,
  regex: () => '^a$',
  byte: () => 'c3Zj',
};

function makeText(schema: JsonObject, making: Started): string {
  const { format, pattern } = schema;
  const longest = isFull(making) ? 0 : LONGEST_TEXT;
  const least = Math.min(numberOf(schema['minLength']) ?? 0, longest);
  const most = Math.min(numberOf(schema['maxLength']) ?? Infinity, Math.max(least, LONGEST_TEXT));
  if (typeof pattern === 'string') return textForPattern(pattern, least, most, making.chance);
  const known = typeof format === 'string' && Object.hasOwn(byFormat, format) ? byFormat[format] : undefined;
  if (known) return known(making);
  const length = Math.max(least, Math.min(8, most));
  return word(making.chance, length);
}

/** The first of some texts of a pattern that has a fitting length; the last one where none has. */
function textForPattern(pattern: string, least: number, most: number, chance: () => number): string {
  let text = '';
  for (let tries = 0; tries < 50; tries++) {
    text = textOfPattern(pattern, chance) ?? '';
    if (text.length >= least && text.length <= most) return text;
    // An end that is open takes more signs of the kind that the pattern ends with.
    const last = text.at(-1);
    if (last !== undefined && text.length < least && !pattern.endsWith('$')) return text.padEnd(least, last);
  }
  const last = text.at(-1);
  return last !== undefined && text.length < least ? text.padEnd(least, last) : text;
}

function makeNumber(schema: JsonObject, whole: boolean, { varied, chance }: Making): number {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema;
  const step = numberOf(multipleOf) ?? (whole ? 1 : 0);
  // Version 3.0 says with true that the limit itself is not allowed, later ones name another limit.
  const isAbove = typeof above === 'number' || (above === true && typeof minimum === 'number');
  const isBelow = typeof below === 'number' || (below === true && typeof maximum === 'number');
  const least = largest(numberOf(minimum), numberOf(above));
  const most = smallest(numberOf(maximum), numberOf(below));
  const lowest = least !== undefined && isAbove ? next(least, most, step) : least;
  let value = 1;
  if (lowest !== undefined && value < lowest) value = lowest;
  if (most !== undefined && (value > most || (isBelow && value >= most)))
    value = lowest ?? (isBelow ? most - (step || 1) : most);
  const plain = onStep(value, most, step);
  if (varied !== true) return plain;
  const highest = most !== undefined && isBelow ? most - (step || PRECISE) : most;
  return chosenNumber(plain, { lowest, highest, step: step || PRECISE }, chance);
}

/** The multiple of the step at a value or above it, or below where that is too much. */
function onStep(value: number, most: number | undefined, step: number): number {
  if (step === 0) return value;
  const upper = Math.ceil(value / step - 1e-9) * step;
  // The step is so small that there are more than can be counted.
  if (!Number.isFinite(upper)) return value;
  return rounded(most !== undefined && upper > most ? Math.floor(value / step + 1e-9) * step : upper, step);
}

/** Step of numbers that have none, where one is chosen. */
const PRECISE = 0.01;
/** Steps away from the plainest number at most. */
const NEAR = 9;
const FAR = 1000;

interface Span {
  readonly lowest: number | undefined;
  readonly highest: number | undefined;
  readonly step: number;
}

/** A number some steps away from the plainest one: one time in two a few, since those in use are often small. */
function chosenNumber(plain: number, { lowest, highest, step }: Span, chance: () => number): number {
  const isNear = chance() < 0.5;
  const below = Math.floor(Math.min(isNear ? 0 : FAR, (plain - (lowest ?? -Infinity)) / step + 1e-9));
  const above = Math.floor(Math.min(isNear ? NEAR : FAR, ((highest ?? Infinity) - plain) / step + 1e-9));
  const away = Math.floor(chance() * (Math.max(below, 0) + Math.max(above, 0) + 1)) - Math.max(below, 0);
  const chosen = rounded(plain + away * step, step);
  return chosen < (lowest ?? -Infinity) || chosen > (highest ?? Infinity) ? plain : chosen;
}

/** Something above a limit that is not allowed itself. */
function next(limit: number, most: number | undefined, step: number): number {
  if (step > 0) return (Math.floor(limit / step) + 1) * step;
  return most === undefined ? limit + 1 : (limit + most) / 2;
}

/** A multiple of a decimal step without the last digits of its division. */
function rounded(value: number, step: number): number {
  const digits = /\.(\d+)/.exec(String(step))?.[1]?.length ?? 0;
  return Number(value.toFixed(Math.min(digits, 15)));
}

function largest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b);
}

function smallest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

/** One of several schemas, null last. */
function pick(list: readonly Json[], { document, chance }: Making): Json {
  const useful = list.filter((one) => resolvedObject(one, document)['type'] !== 'null');
  const from = useful.length > 0 ? useful : list;
  return from[Math.floor(chance() * from.length)] ?? {};
}

function simplest(list: readonly Json[], { document }: Making): Json {
  const weight = (one: Json): number => {
    const { type, properties, items } = resolvedObject(one, document);
    return type === 'null' ? 0 : properties === undefined && items === undefined ? 1 : 2;
  };
  return list.toSorted((a, b) => weight(a) - weight(b))[0] ?? {};
}

function word(chance: () => number, length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + Math.floor(chance() * 26))).join('');
}

function uuid(chance: () => number): string {
  const digit = (): string => Math.floor(chance() * 16).toString(16);
  const many = (count: number): string => Array.from({ length: count }, digit).join('');
  return `${many(8)}-${many(4)}-4${many(3)}-${'89ab'[Math.floor(chance() * 4)]}${many(3)}-${many(12)}`;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
