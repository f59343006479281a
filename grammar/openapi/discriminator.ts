import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { inheritanceIn, referenceTo } from './inheritance.ts';
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
  if (!isObject(value) || !isObject(discriminator) || alternatives.length === 0) return undefined;
  const { propertyName, mapping } = discriminator;
  const name = typeof propertyName === 'string' ? value[propertyName] : undefined;
  if (typeof name !== 'string') return undefined;
  const mapped = isObject(mapping) ? mapping : {};
  const target = Object.hasOwn(mapped, name) ? mapped[name] : undefined;
  if (typeof target === 'string') return { $ref: referenceTo(target) };
  const named = alternatives.find((one) => referenceOf(one)?.split('/').at(-1) === name);
  if (named !== undefined) return named as JsonObject;
  return Object.keys(mapped).length > 0 ? 'none' : undefined;
}

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
  const inheritance = inheritanceIn(document);
  if (holders.some((holder) => inheritance.hasName(holder) && inheritance.isHeir(holder, parent))) return undefined;
  const heir = inheritance.mapped(parent).find(({ key }) => key === said)?.schema ?? inheritance.called(said);
  return heir !== undefined && !holders.includes(heir) && inheritance.isHeir(heir, parent) ? heir : undefined;
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
  const inheritance = inheritanceIn(document);
  const line = inheritance.lineOf(schema);
  const parent = line.find((one) => propertyNameOf(one) !== undefined);
  const name = parent && propertyNameOf(parent);
  if (!parent || name === undefined || hasAlternatives(schema)) return undefined;
  const own = line.find((one) => one === parent || (inheritance.hasName(one) && inheritance.isHeir(one, parent)));
  const mapped = inheritance.mapped(parent);
  const called = new Set(mapped.map((one) => one.schema));
  const heirs = [...mapped, ...inheritance.named.filter((one) => !called.has(one.schema))]
    .filter((one) => inheritance.isHeir(one.schema, parent))
    .filter((one) => own === undefined || one.schema === own || inheritance.isHeir(one.schema, own))
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
  const mapped = inheritanceIn(document)
    .mapped(holder)
    .find((one) => one.schema === schema)?.key;
  const key = mapped ?? referenceOf(picked)?.split('/').at(-1);
  return key === undefined ? picked : { allOf: [picked, naming(name, key, [schema], document)] };
}

/** Says the value of a property, unless the schemas allow others alone. */
function naming(name: string, key: string, schemas: readonly JsonObject[], document: JsonObject): JsonObject {
  const isRefused = schemas
    .flatMap((one) => inheritanceIn(document).lineOf(one))
    .map(({ properties }) => (isObject(properties) ? properties[name] : undefined))
    .filter((declared) => declared !== undefined)
    .map((declared) => resolvedObject(declared, document))
    .some(({ enum: values, const: only }) =>
      Array.isArray(values) ? !(values as readonly Json[]).includes(key) : only !== undefined && only !== key,
    );
  return isRefused ? {} : { properties: { [name]: { enum: [key] } }, required: [name] };
}

/** The property that names schemas: version 2.0 says it as a text. */
function propertyNameOf({ discriminator }: JsonObject): string | undefined {
  if (typeof discriminator === 'string') return discriminator;
  const { propertyName } = isObject(discriminator) ? discriminator : {};
  return typeof propertyName === 'string' ? propertyName : undefined;
}

function hasAlternatives({ oneOf: one, anyOf: any }: JsonObject): boolean {
  return one !== undefined || any !== undefined;
}
