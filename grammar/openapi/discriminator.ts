import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { referenceOf, resolved, resolvedObject } from './reference.ts';

/**
 * The alternative that a value names by its discriminator; `none` where a mapping knows no such name; undefined: all
 * alternatives have to be tried, as where names are told apart by the alternatives themselves.
 */
export function chosenAlternative(
  value: Json,
  alternatives: readonly Json[],
  discriminator: Json | undefined,
): JsonObject | 'none' | undefined {
  if (!isObject(value) || !isObject(discriminator ?? null) || alternatives.length === 0) return undefined;
  const { propertyName, mapping } = discriminator as JsonObject;
  const name = typeof propertyName === 'string' ? value[propertyName] : undefined;
  if (typeof name !== 'string') return undefined;
  const mapped = isObject(mapping ?? null) ? (mapping as JsonObject) : {};
  const target = Object.hasOwn(mapped, name) ? mapped[name] : undefined;
  if (typeof target === 'string') return { $ref: referenceTo(target) };
  const named = alternatives.find((one) => referenceOf(one)?.split('/').at(-1) === name);
  if (named !== undefined) return named as JsonObject;
  return Object.keys(mapped).length > 0 ? 'none' : undefined;
}

/** Parents of parents of a schema at most. */
const DEEPEST = 16;

/**
 * The schema that a value names by the discriminator of a parent: one that has the parent among its `allOf`. Undefined:
 * nothing more is known of the value, as where the parent stands in such a schema already.
 */
export function chosenHeir(
  value: Json,
  parent: JsonObject,
  document: JsonObject,
  holders: readonly JsonObject[],
): JsonObject | undefined {
  const name = propertyNameOf(parent);
  const said = name !== undefined && isObject(value) ? value[name] : undefined;
  if (typeof said !== 'string' || hasAlternatives(parent)) return undefined;
  const heir = schemaCalled(said, parent, document);
  if (!heir || holders.includes(heir) || !isHeir(heir, parent, document)) return undefined;
  const around = holders.filter((holder) => isHeir(holder, parent, document));
  return around.some((holder) => isNamed(holder, document)) ? undefined : heir;
}

/** Schemas with names by their document: asked for each value of long lists. */
const named = new WeakMap<JsonObject, ReadonlySet<JsonObject>>();

function isNamed(schema: JsonObject, document: JsonObject): boolean {
  const known = named.get(document) ?? new Set(namedSchemas(document).map((one) => one.schema));
  named.set(document, known);
  return known.has(schema);
}

/** The schema that a discriminator means by a name. */
function schemaCalled(name: string, { discriminator }: JsonObject, document: JsonObject): JsonObject | undefined {
  const { mapping } = isObject(discriminator ?? null) ? (discriminator as JsonObject) : {};
  const mapped = isObject(mapping ?? null) && Object.hasOwn(mapping as JsonObject, name);
  if (mapped) return resolvedObject({ $ref: referenceTo(String((mapping as JsonObject)[name])) }, document);
  const { components, definitions } = document;
  const { schemas } = isObject(components ?? null) ? (components as JsonObject) : {};
  const found = [schemas, definitions].find((all) => isObject(all ?? null) && Object.hasOwn(all as JsonObject, name));
  return found === undefined ? undefined : resolvedObject((found as JsonObject)[name], document);
}

/**
 * One of the schemas that inherit from a schema that has or inherits a discriminator, with what makes a value name it.
 * `choose` gets their number; the schema itself is the first where it is an heir.
 */
export function namedHeir(
  given: Json | undefined,
  document: JsonObject,
  choose: (count: number) => number,
): JsonObject | undefined {
  const schema = resolvedObject(given, document);
  const parent = parentOf(schema, document);
  const name = parent && propertyNameOf(parent);
  if (!parent || name === undefined || hasAlternatives(schema)) return undefined;
  const mapped = mappedSchemas(parent, document);
  const called = new Set(mapped.map((one) => one.schema));
  const own = nearest(schema, parent, document) ?? parent;
  const heirs = [...mapped, ...namedSchemas(document).filter((one) => !called.has(one.schema))]
    .filter((one) => isHeir(one.schema, parent, document) && (one.schema === own || isHeir(one.schema, own, document)))
    .toSorted((a, b) => Number(b.schema === own) - Number(a.schema === own));
  const heir = heirs[choose(heirs.length)];
  return heir && { allOf: [schema, { $ref: heir.$ref }, naming(name, heir.key, [heir.schema, schema], document)] };
}

/** An alternative with what makes a value name it, where the discriminator beside the alternatives tells them apart. */
export function namedAlternative(picked: Json, discriminator: Json | undefined, document: JsonObject): Json {
  const holder = { discriminator: discriminator ?? null };
  const name = propertyNameOf(holder);
  const schema = resolved(picked, document);
  if (name === undefined || !isObject(schema)) return picked;
  const mapped = mappedSchemas(holder, document).find((one) => one.schema === schema)?.key;
  const key = mapped ?? referenceOf(picked)?.split('/').at(-1);
  return key === undefined ? picked : { allOf: [picked, naming(name, key, [schema], document)] };
}

/** Says the value of a property, unless the schemas allow others alone. */
function naming(name: string, key: string, schemas: readonly JsonObject[], document: JsonObject): JsonObject {
  const isRefused = schemas
    .flatMap((one) => declarations(name, one, document))
    .some(({ enum: values, const: only }) =>
      Array.isArray(values) ? !(values as readonly Json[]).includes(key) : only !== undefined && only !== key,
    );
  return isRefused ? {} : { properties: { [name]: { enum: [key] } }, required: [name] };
}

function declarations(name: string, schema: JsonObject, document: JsonObject, depth = 0): readonly JsonObject[] {
  const { properties } = schema;
  const own = isObject(properties ?? null) ? (properties as JsonObject)[name] : undefined;
  const parts = partsOf(schema, document, depth).flatMap((part) => declarations(name, part, document, depth + 1));
  return own === undefined ? parts : [resolvedObject(own, document), ...parts];
}

/** The property that names schemas: version 2.0 says it as a text. */
function propertyNameOf({ discriminator }: JsonObject): string | undefined {
  if (typeof discriminator === 'string') return discriminator;
  const { propertyName } = isObject(discriminator ?? null) ? (discriminator as JsonObject) : {};
  return typeof propertyName === 'string' ? propertyName : undefined;
}

function hasAlternatives({ oneOf: one, anyOf: any }: JsonObject): boolean {
  return one !== undefined || any !== undefined;
}

/** A schema with the name that values call it by. */
interface Named {
  readonly key: string;
  readonly $ref: string;
  readonly schema: JsonObject;
}

function mappedSchemas({ discriminator }: JsonObject, document: JsonObject): readonly Named[] {
  const { mapping } = isObject(discriminator ?? null) ? (discriminator as JsonObject) : {};
  return Object.entries(isObject(mapping ?? null) ? (mapping as JsonObject) : {}).map(([key, target]) => {
    const $ref = referenceTo(String(target));
    return { key, $ref, schema: resolvedObject({ $ref }, document) };
  });
}

function namedSchemas(document: JsonObject): readonly Named[] {
  const { components, definitions } = document;
  const { schemas } = isObject(components ?? null) ? (components as JsonObject) : {};
  const from = (place: string, all: Json | undefined): readonly Named[] =>
    Object.entries(isObject(all ?? null) ? (all as JsonObject) : {}).map(([key, given]) => ({
      key,
      $ref: `${place}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
      schema: resolvedObject(given, document),
    }));
  return [...from('#/components/schemas', schemas), ...from('#/definitions', definitions)];
}

/** Whether a schema has another among its `allOf`, at any depth. */
function isHeir(schema: JsonObject, parent: JsonObject, document: JsonObject, depth = 0): boolean {
  return partsOf(schema, document, depth).some((one) => one === parent || isHeir(one, parent, document, depth + 1));
}

/** The schema with a name that a schema is, or has among its `allOf`, at or below the parent. */
function nearest(schema: JsonObject, parent: JsonObject, document: JsonObject, depth = 0): JsonObject | undefined {
  if (schema === parent) return schema;
  if (!isHeir(schema, parent, document)) return undefined;
  if (isNamed(schema, document)) return schema;
  const parts = partsOf(schema, document, depth);
  return parts.map((part) => nearest(part, parent, document, depth + 1)).find((one) => one !== undefined);
}

/** The schema that has the discriminator of a schema: itself or one of its `allOf`. */
function parentOf(schema: JsonObject, document: JsonObject, depth = 0): JsonObject | undefined {
  if (propertyNameOf(schema) !== undefined) return schema;
  for (const part of partsOf(schema, document, depth)) {
    const found = parentOf(part, document, depth + 1);
    if (found) return found;
  }
  return undefined;
}

function partsOf({ allOf }: JsonObject, document: JsonObject, depth: number): readonly JsonObject[] {
  if (!Array.isArray(allOf) || depth > DEEPEST) return [];
  return (allOf as readonly Json[]).map((part) => resolvedObject(part, document));
}

/** A schema is named by its name in the document, or by a reference. */
function referenceTo(target: string): string {
  return /[/#.]/.test(target) ? target : `#/components/schemas/${target}`;
}
