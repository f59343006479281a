import { addAll } from '#grammar/source/add-all.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { counted } from '#grammar/source/counted.ts';
import { typeName } from '#grammar/openapi/schema-findings.ts';

import { shown, valueMismatch, type FitsPattern } from './match-value.ts';
import { MatchingRules, sizeMismatches } from './rules.ts';
import type { MatchingRule } from './rules.ts';

export interface Matching {
  readonly rules: MatchingRules;
  readonly fits: FitsPattern;
  /** Whether nothing may come that was not expected: in requests. */
  readonly isStrict: boolean;
}

/** Reasons why a body does not fit the expected one, each with its path; empty: it fits. */
export function bodyMismatches(expected: Json, actual: Json, matching: Matching): readonly string[] {
  return compare(expected, actual, { place: ['body'], path: '$.body' }, matching);
}

interface At {
  readonly place: readonly string[];
  readonly path: string;
}

function compare(expected: Json, actual: Json, at: At, matching: Matching): readonly string[] {
  const rule = matching.rules.find(at.place);
  const own = matching.rules.own(at.place);
  if (own?.match === 'arrayContains') return containsMismatches(own, expected, actual, at, matching);
  if (own?.match === 'notEmpty' && valueMismatch(own, expected, actual, matching.fits) !== undefined)
    return [`${at.path}: is empty`];
  if (Array.isArray(expected) && Array.isArray(actual))
    return lists(expected as readonly Json[], actual as readonly Json[], at, matching, rule);
  if (isObject(expected) && isObject(actual)) {
    const entries = own ? entryRules(own) : undefined;
    return entries ? mapMismatches(expected, actual, at, matching, entries) : objects(expected, actual, at, matching);
  }
  return values(expected, actual, at.path, rule, matching.fits);
}

/** One value under its rule; without a rule it must be equal. */
export function values(
  expected: Json,
  actual: Json,
  path: string,
  rule: MatchingRule | undefined,
  fits: FitsPattern,
): readonly string[] {
  const found = valueMismatch(rule ?? { match: 'equality' }, expected, actual, fits);
  return found === undefined ? [] : [`${path}: ${found}`];
}

function lists(
  expected: readonly Json[],
  actual: readonly Json[],
  at: At,
  matching: Matching,
  rule: MatchingRule | undefined,
): readonly string[] {
  const found: string[] = [];
  const isFree =
    (rule !== undefined && rule.regex === undefined && rule.match !== 'equality') ||
    matching.rules.hasElementRule(at.place);
  if (!isFree && expected.length !== actual.length)
    return [`${at.path}: expected ${expected.length} elements, got ${actual.length}`];
  addAll(found, sizeMismatches(matching.rules.own(at.place), actual.length, at.path, 'elements'));
  for (const [index, item] of actual.entries()) {
    const example = index < expected.length || !isFree ? expected[index] : expected[0];
    if (example === undefined) continue;
    const inner = { place: [...at.place, String(index)], path: `${at.path}[${index}]` };
    addAll(found, compare(example, item, inner, matching));
  }
  return found;
}

/** For each of some examples there must be an element that fits it under rules of its own. */
function containsMismatches(
  { variants = [] }: MatchingRule,
  expected: Json,
  actual: Json,
  at: At,
  matching: Matching,
): readonly string[] {
  if (!Array.isArray(actual)) return [`${at.path}: expected array, got ${typeName(actual)}`];
  return variants.flatMap(({ index, rules }) => {
    const example = Array.isArray(expected) ? (expected as readonly Json[])[index] : undefined;
    if (example === undefined) return [];
    const inside = { ...matching, rules: new MatchingRules(rules) };
    const isThere = (actual as readonly Json[]).some((item) => bodyMismatches(example, item, inside).length === 0);
    return isThere ? [] : [`${at.path}: no element is like ${shown(example)}`];
  });
}

/** The rules that speak of the keys and values of an object whose keys are free; undefined: they are not. */
function entryRules(rule: MatchingRule): readonly MatchingRule[] | undefined {
  const all = rule.match === 'all' ? (rule.rules ?? []) : [rule];
  const found = all.filter(({ match }) => match === 'values' || match === 'eachKey' || match === 'eachValue');
  return found.length > 0 ? found : undefined;
}

/** Each value must be like that of its key in the example, else like the first one. */
function mapMismatches(
  expected: JsonObject,
  actual: JsonObject,
  at: At,
  matching: Matching,
  entries: readonly MatchingRule[],
): readonly string[] {
  const found: string[] = [];
  const [firstKey = '', first] = Object.entries(expected)[0] ?? [];
  for (const [key, value] of Object.entries(actual)) {
    const path = `${at.path}.${key}`;
    const example = Object.hasOwn(expected, key) ? expected[key] : first;
    for (const { match, rules = [] } of entries) {
      const one: MatchingRule = { match: 'all', rules };
      if (match === 'eachKey')
        addAll(found, values(firstKey, key, `${at.path}: the key ${shown(key)}`, one, matching.fits));
      else if (example === undefined) continue;
      else if (match === 'eachValue' && rules.some((rule) => rule.match !== 'type'))
        addAll(found, values(example, value ?? null, path, one, matching.fits));
      else addAll(found, compare(example, value ?? null, { place: [...at.place, key], path }, matching));
    }
  }
  return found;
}

function objects(expected: JsonObject, actual: JsonObject, at: At, matching: Matching): readonly string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(expected)) {
    const inner = { place: [...at.place, key], path: `${at.path}.${key}` };
    if (Object.hasOwn(actual, key)) addAll(found, compare(value ?? null, actual[key] ?? null, inner, matching));
    else found.push(`${inner.path}: is missing`);
  }
  if (matching.isStrict)
    for (const key of Object.keys(actual))
      if (!Object.hasOwn(expected, key)) found.push(`${at.path}.${key}: was not expected`);
  return found;
}

type Texts = Readonly<Record<string, string>>;

/**
 * Reasons why headers do not fit: those expected must be there, names without regard to case; others do not
 * matter.
 */
export function headerMismatches(expected: Texts, actual: Texts, { rules, fits }: Matching): readonly string[] {
  const given = new Map(Object.entries(actual).map(([name, value]) => [name.toLowerCase(), value]));
  return Object.entries(expected).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    const got = given.get(lower);
    if (got === undefined) return [`header "${name}" is missing`];
    const rule = rules.find(['headers', lower]) ?? rules.find(['header', lower]);
    if (rule) return values(value, got, `header "${name}"`, rule, fits);
    const same = lower === 'content-type' ? isMediaType(value, got) : spaced(value) === spaced(got);
    return same ? [] : [`header "${name}": expected ${shown(value)}, got ${shown(got)}`];
  });
}

/** The type must be equal, and so must those parameters that are expected, in any order and in any case. */
function isMediaType(expected: string, actual: string): boolean {
  const [[type, ...wanted], [given, ...parameters]] = [expected, actual].map(mediaTypeParts) as [string[], string[]];
  return type === given && wanted.every((one) => parameters.includes(one));
}

function mediaTypeParts(value: string): string[] {
  const parts = value.toLowerCase().split(';');
  return parts.map((part) => part.replace(/\s*=\s*"?([^"]*)"?/, '=$1').trim()).filter((part, at) => at === 0 || part);
}

/** Blanks around commas and at the ends do not count. */
function spaced(value: string): string {
  return value.trim().replace(/\s*,\s*/g, ',');
}

/** Reasons why a query does not fit: the order of names does not matter, that of values of one name does. */
export function queryMismatches(expected: string, actual: string, { rules, fits }: Matching): readonly string[] {
  const [wanted, given] = [expected, actual].map((text) => new URLSearchParams(text));
  const found: string[] = [];
  for (const name of new Set(wanted?.keys())) {
    const [values1, values2] = [wanted?.getAll(name) ?? [], given?.getAll(name) ?? []];
    addAll(found, sizeMismatches(rules.own(['query', name]), values2.length, `query "${name}"`, 'values'));
    if (values1.length !== values2.length && !rules.find(['query', name]) && !rules.hasElementRule(['query', name]))
      found.push(`query "${name}": expected ${counted(values1.length, 'value')}, got ${values2.length}`);
    else if (values2.length === 0) found.push(`query "${name}" is missing`);
    else
      for (const [index, value] of values2.entries()) {
        const rule = rules.find(['query', name, String(index)]);
        addAll(found, values(values1[index] ?? values1[0] ?? '', value, `query "${name}"`, rule, fits));
      }
  }
  for (const name of new Set(given?.keys())) if (!wanted?.has(name)) found.push(`query "${name}" was not expected`);
  return found;
}

/** Reasons why a path does not fit; empty: it fits. */
export function pathMismatches(expected: string, actual: string, { rules, fits }: Matching): readonly string[] {
  return values(expected, actual, 'path', rules.find(['path']), fits);
}
