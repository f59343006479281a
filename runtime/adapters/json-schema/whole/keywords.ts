import { isList, isObject, type JsonObject } from '#schemas/types/json.ts';

import { isSince, type Dialect } from '../dialect.ts';

/** Keywords that came later than the first dialect. */
const since = new Map<string, Dialect>(
  Object.entries({
    if: 'draft-07',
    then: 'draft-07',
    else: 'draft-07',
    $defs: '2019-09',
    $anchor: '2019-09',
    $recursiveRef: '2019-09',
    minContains: '2019-09',
    maxContains: '2019-09',
    dependentSchemas: '2019-09',
    dependentRequired: '2019-09',
    unevaluatedItems: '2019-09',
    unevaluatedProperties: '2019-09',
    prefixItems: '2020-12',
    $dynamicRef: '2020-12',
    $dynamicAnchor: '2020-12',
  }),
);

/** Keywords that a dialect took back. */
const until = new Map<string, Dialect>([
  ['additionalItems', '2020-12'],
  ['$recursiveRef', '2020-12'],
]);

export function hasKeyword(dialect: Dialect, keyword: string): boolean {
  const [first, last] = [since.get(keyword), until.get(keyword)];
  return (first === undefined || isSince(dialect, first)) && (last === undefined || !isSince(dialect, last));
}

const ofOne = [
  ...['additionalProperties', 'propertyNames', 'contains', 'not', 'if', 'then', 'else', 'additionalItems', 'items'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
];
const ofList = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const ofNames = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', 'definitions', '$defs'];

/**
 * Places of schemas inside a schema, as keys from it: only these count, for what else looks like a schema is a
 * value.
 */
export function partsOf(schema: JsonObject, dialect: Dialect): readonly (readonly (string | number)[])[] {
  const has = (keyword: string): boolean => Object.hasOwn(schema, keyword) && hasKeyword(dialect, keyword);
  const one = ofOne.filter((keyword) => has(keyword) && !isList(schema[keyword])).map((keyword) => [keyword]);
  const list = ofList.filter(has).flatMap((keyword) => {
    const parts = schema[keyword];
    return isList(parts) ? parts.map((_, index) => [keyword, index]) : [];
  });
  const named = ofNames.filter(has).flatMap((keyword) => {
    const parts = schema[keyword];
    return isObject(parts) ? Object.keys(parts).map((name) => [keyword, name]) : [];
  });
  return [...one, ...list, ...named];
}
