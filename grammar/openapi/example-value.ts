import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { namedAlternative, namedHeir } from './discriminator.ts';
import { resolved, resolvedObject } from './reference.ts';
import type { Media, Operation, Parameter } from './operations.ts';
import { styledText } from './styled-text.ts';

const DEEPEST = 8;
/** Values in which objects hold what may be left out; schemas that refer to each other in many ways stand for more. */
const MOST = 500;
const byFormat: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'user@example.com',
  date: '2024-01-01',
  'date-time': '2024-01-01T00:00:00Z',
  uri: 'https://example.com/',
};

/**
 * A fixed value for a schema: its example, default or first of its values, else one of its type. A property that may be
 * left out and leads back into a schema around it is left out.
 */
export function exampleValue(
  given: Json | undefined,
  document: JsonObject,
  depth = 0,
  outer: ReadonlySet<Json> = new Set(),
  made: { count: number } = { count: 0 },
): Json {
  made.count += 1;
  const around = isObject(given) ? new Set([...outer, ...references(given)]) : outer;
  const schema = mergedAllOf(resolvedObject(given, document), document);
  const said = saidExample(schema);
  if (said !== undefined) return said;
  const heir = namedHeir(given, document, () => 0);
  if (heir) {
    const { discriminator: _told, ...named } = mergedAllOf(heir, document);
    return exampleValue(named, document, depth + 1, new Set([...around, ...references(heir)]), made);
  }
  const [alternative] = [schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? (list as Json[]) : [],
  );
  if (alternative !== undefined) {
    const named = namedAlternative(alternative, schema['discriminator'], document);
    if (named === alternative) return exampleValue(named, document, depth + 1, around, made);
    const { discriminator: _told, ...plain } = mergedAllOf(named as JsonObject, document);
    return exampleValue(plain, document, depth + 1, new Set([...around, ...references(named)]), made);
  }
  const { type } = schema;
  const first = Array.isArray(type) ? ((type as readonly Json[]).find((name) => name !== 'null') ?? 'null') : type;
  const kind = first ?? (isObject(schema['properties']) ? 'object' : schema['items'] === undefined ? 'null' : 'array');
  return depth > DEEPEST || made.count > 2 * MOST ? null : ofType(kind, schema, { document, depth, around, made });
}

interface Inside {
  readonly document: JsonObject;
  readonly depth: number;
  /** References that led here. */
  readonly around: ReadonlySet<Json>;
  /** Values so far. */
  readonly made: { count: number };
}

/** Targets of the references that a schema consists of, itself, as an alternative or as its items. */
function references(schema: Json | undefined, depth = 0): readonly Json[] {
  if (!isObject(schema) || depth > DEEPEST) return [];
  const { $ref: target, items, allOf, anyOf, oneOf } = schema;
  const parts = [
    items ?? null,
    ...[allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as Json[]) : [])),
  ];
  return [...(typeof target === 'string' ? [target] : []), ...parts.flatMap((part) => references(part, depth + 1))];
}

function ofType(kind: Json, schema: JsonObject, { document, depth, around, made }: Inside): Json {
  switch (kind) {
    case 'object': {
      const properties = isObject(schema['properties']) ? schema['properties'] : {};
      const required = Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : [];
      return Object.fromEntries(
        Object.entries(properties)
          .filter(
            ([name, part]) =>
              required.includes(name) ||
              (depth < DEEPEST && made.count <= MOST && !references(part).some((target) => around.has(target))),
          )
          .map(([name, part]) => [name, exampleValue(part, document, depth + 1, around, made)]),
      );
    }
    case 'array': {
      const isBack = references(schema['items']).some((target) => around.has(target)) && depth > 1;
      const least = numberOf(schema['minItems']) ?? (isBack ? 0 : 1);
      const count = Math.max(isBack ? 0 : 1, Math.min(least, 16));
      return Array.from({ length: count }, () => exampleValue(schema['items'], document, depth + 1, around, made));
    }
    case 'string':
      return exampleText(schema);
    case 'integer':
    case 'number':
      return exampleNumber(schema, kind === 'integer');
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function exampleText({ format, minLength, maxLength }: JsonObject): string {
  const known = typeof format === 'string' ? byFormat[format] : undefined;
  if (known !== undefined) return known;
  const least = numberOf(minLength) ?? 0;
  return 'string'.padEnd(Math.min(least, 10_000), 'x').slice(0, Math.max(numberOf(maxLength) ?? Infinity, 0));
}

function exampleNumber(schema: JsonObject, whole: boolean): number {
  const step = numberOf(schema['multipleOf']) ?? 0;
  const above = numberOf(schema['exclusiveMinimum']);
  const least = above === undefined ? numberOf(schema['minimum']) : above + (whole ? 1 : 0.5);
  const most = numberOf(schema['maximum']) ?? numberOf(schema['exclusiveMaximum']);
  const lower = schema['exclusiveMinimum'] === true && least !== undefined ? least + 1 : least;
  let value = lower !== undefined && lower > 1 ? lower : 1;
  if (most !== undefined && value > most) value = lower ?? most;
  if (whole) value = Math.ceil(value);
  return step > 0 ? Math.ceil(value / step) * step : value;
}

/** Value that a schema itself gives: an example, a default, its only value, the first of its values. */
export function saidExample(schema: JsonObject): Json | undefined {
  if (schema['example'] !== undefined) return schema['example'];
  const { examples, enum: values } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as Json;
  if (schema['default'] !== undefined) return schema['default'];
  if (Object.hasOwn(schema, 'const')) return schema['const'] ?? null;
  return Array.isArray(values) && values.length > 0 ? (values[0] as Json) : undefined;
}

/** The schema with all parts of its `allOf` put together; of two that speak of the same thing the later wins. */
export function mergedAllOf(schema: JsonObject, document: JsonObject, known: Merged = new Map()): JsonObject {
  const parts = schema['allOf'];
  if (!Array.isArray(parts)) return schema;
  const before = known.get(schema);
  if (before) return before;
  const { allOf: _parts, ...own } = schema;
  // A part of itself says nothing more.
  known.set(schema, own);
  let merged: JsonObject = {};
  for (const part of [...(parts as readonly Json[]), own]) {
    const one = mergedAllOf(resolvedObject(part, document), document, known);
    const required = [merged['required'], one['required']].flatMap((list) =>
      Array.isArray(list) ? (list as Json[]) : [],
    );
    merged = {
      ...merged,
      ...one,
      ...(isObject(merged['properties']) && isObject(one['properties'])
        ? { properties: { ...merged['properties'], ...one['properties'] } }
        : {}),
      ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
    };
  }
  known.set(schema, merged);
  return merged;
}

/** Schemas and what they are merged: each once, as parts may be parts of many. */
type Merged = Map<JsonObject, JsonObject>;

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The value of a parameter, header or body that has examples beside its schema. */
export function exampleOf(source: JsonObject, schema: Json | undefined, document: JsonObject): Json {
  if (source['example'] !== undefined) return source['example'];
  const { examples } = source;
  const [named] = isObject(examples) ? (Object.values(examples) as readonly Json[]) : [];
  const example = resolved(named, document);
  if (isObject(example) && example['value'] !== undefined) return example['value'];
  return exampleValue(schema, document);
}

/** The same for one media type of a body. */
export function exampleBody({ source, schema }: Media, document: JsonObject): Json {
  return exampleOf(source, schema, document);
}

/**
 * A path with its parameters filled and percent-encoded, each as its style writes it; one without a value becomes 1.
 */
export function fillPath(
  template: string,
  values: Readonly<Record<string, Json>>,
  parameters: readonly Parameter[] = [],
): string {
  return template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name) ?? { name, source: {} };
    return styledText(parameter, (Object.hasOwn(values, name) ? values[name] : null) ?? '1', encodeURIComponent);
  });
}

/** The lowest declared status of success, else 200; ranges do not count. */
export function successStatus({ responses }: Pick<Operation, 'responses'>): number {
  const statuses = [...responses.keys()].filter((status) => /^2\d\d$/.test(status)).map(Number);
  return statuses.length === 0 ? 200 : Math.min(...statuses);
}
