import { formats } from '#schemas/generated/formats.ts';
import { isPattern } from '#schemas/types/bounded-match.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/** A keyword of a schema that is not known, or whose value is not what it takes. */
export interface ShapeProblem {
  /** Route from the schema to the keyword. */
  readonly route: Route;
  readonly keyword: string;
  /** Form of the keyword's value, in words; undefined where there is none of that name. */
  readonly expected: string | undefined;
}

/** Test of a keyword's value: its form in words where the value is something else. */
type Shape = (value: Json) => string | undefined;

const shape =
  (expected: string, isRight: (value: Json) => boolean): Shape =>
  (value) =>
    isRight(value) ? undefined : expected;

const TYPES: readonly Json[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const isText = (value: Json): value is string => typeof value === 'string';
const isSchema = (value: Json): boolean => typeof value === 'boolean' || isObject(value);
const areAll = (value: Json, isRight: (item: Json) => boolean): boolean => isList(value) && value.every(isRight);
const isCount = (value: Json): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0;

const anything: Shape = () => undefined;
const text = shape('text', isText);
const flag = shape('true or false', (value) => typeof value === 'boolean');
const number = shape('a number', (value) => typeof value === 'number');
const count = shape('a whole number from 0', isCount);
const schema = shape('a schema: an object, true or false', isSchema);
const schemas = shape(
  'a list of schemas, not empty',
  (value) => areAll(value, isSchema) && !areAll(value, () => false),
);

/** JSON Schema 2020-12 as far as everything knows it (`schemas/meta/command.schema.json`). */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['title', text],
  ['description', text],
  ['default', anything],
  ['examples', shape('a list', isList)],
  ['deprecated', flag],
  ['type', shape(`one of ${TYPES.map((name) => `"${String(name)}"`).join(', ')}, or a list of them`, isTypes)],
  ['enum', shape('a list of values, not empty', (value) => isList(value) && value.length > 0)],
  ['const', anything],
  ['anyOf', schemas],
  ['oneOf', schemas],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', shape('a number above 0', (value) => typeof value === 'number' && value > 0)],
  ['minLength', count],
  ['maxLength', count],
  ['pattern', shape('a regular expression', (value) => isText(value) && isPattern(value, 'u'))],
  ['format', shape(`one of ${formatNames()}`, (value) => isText(value) && Object.hasOwn(formats, value))],
  ['contentEncoding', text],
  ['contentMediaType', text],
  ['items', schema],
  ['prefixItems', schemas],
  ['minItems', count],
  ['maxItems', count],
  ['uniqueItems', flag],
  ['properties', shape('an object of schemas', (value) => isObject(value) && Object.values(value).every(isSchema))],
  ['required', shape('a list of names', (value) => areAll(value, isText))],
  ['additionalProperties', schema],
  ['propertyNames', schema],
  ['minProperties', count],
  ['maxProperties', count],
]);

/** The keywords that a schema of an input may have. */
export const KEYWORDS: readonly string[] = [...SHAPES.keys()];

function isTypes(value: Json): boolean {
  if (!isList(value)) return TYPES.includes(value);
  return value.length > 0 && new Set(value).size === value.length && value.every((type) => TYPES.includes(type));
}

function formatNames(): string {
  return Object.keys(formats)
    .sort()
    .map((name) => `"${name}"`)
    .join(', ');
}

/** The first keyword of a schema, or of those inside it, that is not known or has a value that it does not take. */
export function shapeProblem(schema: JsonObject, route: Route = []): ShapeProblem | undefined {
  for (const [keyword, value] of Object.entries(schema)) {
    const at = [...route, keyword];
    const expects = SHAPES.get(keyword);
    if (expects === undefined) return { route: at, keyword, expected: undefined };
    const expected = expects(value);
    if (expected !== undefined) return { route: at, keyword, expected };
    for (const [piece, child] of insideOf(keyword, value)) {
      const found = isObject(child) ? shapeProblem(child, [...at, ...piece]) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The schemas inside a keyword. */
function insideOf(keyword: string, value: Json): readonly (readonly [Route, Json])[] {
  switch (keyword) {
    case 'items':
    case 'additionalProperties':
    case 'propertyNames':
      return [[[], value]];
    case 'anyOf':
    case 'oneOf':
    case 'prefixItems':
      return isList(value) ? value.map((child, index) => [[index], child] as const) : [];
    case 'properties':
      return isObject(value) ? Object.entries(value).map(([name, child]) => [[name], child] as const) : [];
    default:
      return [];
  }
}
