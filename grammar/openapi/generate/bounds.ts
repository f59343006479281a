import { exampleValue } from '#grammar/openapi/example-value.ts';
import { resolvedObject } from '#grammar/openapi/reference.ts';
import { schemaFindings } from '#grammar/openapi/schema-findings.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** A value at a bound of its schema, or just beyond one. */
export interface BoundValue {
  /** Words for what is special about it: `the least`, `too long`. */
  readonly about: string;
  readonly value: Json;
}

/** Longer texts and lists are not made. */
const LONGEST = 10_000;

/** Values that a schema just allows, and values that it just does not, each checked against it. */
export function boundsOf(
  given: Json | undefined,
  document: JsonObject,
): { readonly valid: readonly BoundValue[]; readonly invalid: readonly BoundValue[] } {
  const schema = resolvedObject(given, document);
  const candidates = [...numbers(schema), ...texts(schema), ...lists(schema, document), ...others(schema)];
  const fits = ({ value }: BoundValue): boolean =>
    schemaFindings(value, schema, { document, direction: 'request' }).length === 0;
  return { valid: candidates.filter(fits), invalid: candidates.filter((one) => !fits(one)) };
}

function* numbers(schema: JsonObject): Generator<BoundValue> {
  const kind = typeOf(schema);
  if (kind !== 'integer' && kind !== 'number') return;
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const least = typeof above === 'number' ? above : minimum;
  const most = typeof below === 'number' ? below : maximum;
  const step =
    typeof schema['multipleOf'] === 'number' && schema['multipleOf'] > 0
      ? schema['multipleOf']
      : kind === 'integer'
        ? 1
        : 0.5;
  if (typeof least === 'number') {
    yield { about: 'at the lower bound', value: least };
    yield { about: 'above the lower bound', value: least + step };
    yield { about: 'below the lower bound', value: least - step };
  }
  if (typeof most === 'number') {
    yield { about: 'at the upper bound', value: most };
    yield { about: 'below the upper bound', value: most - step };
    yield { about: 'above the upper bound', value: most + step };
  }
  if (kind === 'integer') yield { about: 'with a fraction', value: (typeof least === 'number' ? least : 0) + 0.5 };
  yield { about: 'a text', value: 'text' };
}

function* texts(schema: JsonObject): Generator<BoundValue> {
  if (typeOf(schema) !== 'string' || Array.isArray(schema['enum'])) return;
  const { minLength: least, maxLength: most, format, pattern } = schema;
  const isFree = format === undefined && pattern === undefined;
  if (typeof least === 'number' && least > 0 && least <= LONGEST) {
    if (isFree) yield { about: 'as short as allowed', value: 'a'.repeat(least) };
    yield { about: 'too short', value: 'a'.repeat(least - 1) };
  }
  if (typeof most === 'number' && most < LONGEST) {
    if (isFree) yield { about: 'as long as allowed', value: 'a'.repeat(most) };
    yield { about: 'too long', value: 'a'.repeat(most + 1) };
  }
  if (pattern !== undefined) yield { about: 'outside of its pattern', value: '\u00a7' };
}

function* lists(schema: JsonObject, document: JsonObject): Generator<BoundValue> {
  if (typeOf(schema) !== 'array') return;
  const { minItems: least, maxItems: most, items } = schema;
  const of = (count: number): Json => Array.from({ length: count }, () => exampleValue(items, document));
  if (typeof least === 'number' && least > 0 && least < 1000) {
    yield { about: 'with as few elements as allowed', value: of(least) };
    yield { about: 'with too few elements', value: of(least - 1) };
  }
  if (typeof most === 'number' && most < 1000) {
    yield { about: 'with as many elements as allowed', value: of(most) };
    yield { about: 'with too many elements', value: of(most + 1) };
  }
  yield { about: 'a text', value: 'text' };
}

function* others(schema: JsonObject): Generator<BoundValue> {
  const { enum: values } = schema;
  if (Array.isArray(values)) {
    for (const value of (values as readonly Json[]).slice(0, 10))
      yield { about: `the value ${JSON.stringify(value)}`, value };
    yield { about: 'none of its values', value: 'none-of-these' };
  }
  if (typeOf(schema) === 'boolean') {
    yield { about: 'true', value: true };
    yield { about: 'false', value: false };
    yield { about: 'neither true nor false', value: 'perhaps' };
  }
}

function typeOf({ type, properties }: JsonObject): string | undefined {
  const named = Array.isArray(type) ? (type as readonly Json[]).find((one) => one !== 'null') : type;
  return typeof named === 'string' ? named : isObject(properties) ? 'object' : undefined;
}
