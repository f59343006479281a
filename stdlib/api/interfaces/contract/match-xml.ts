import { addAll } from '#grammar/source/add-all.ts';
import type { Ports } from '#runtime/kernel/ports.ts';

import { values } from './match.ts';
import type { Matching } from './match.ts';
import { sizeMismatches } from './rules.ts';
import type { MatchingRule, Place } from './rules.ts';

export type XmlElement = Exclude<ReturnType<Ports['xml']['read']>, string>;

interface At {
  readonly place: Place;
  readonly path: string;
}

/**
 * Reasons why an element does not fit the expected one, each with its path; empty: it fits. Rules reach an element by
 * its name or its number among its siblings, an attribute as `@name`, the text of an element as `#text`. Text beside
 * elements is passed over.
 */
export function xmlMismatches(expected: XmlElement, actual: XmlElement, matching: Matching): readonly string[] {
  return compare(expected, actual, { place: ['body', expected.name], path: `$.body.${expected.name}` }, matching);
}

function compare(expected: XmlElement, actual: XmlElement, at: At, matching: Matching): readonly string[] {
  if (expected.name !== actual.name || expected.namespace !== actual.namespace)
    return [`${at.path}: expected <${named(expected)}>, got <${named(actual)}>`];
  return [...attributes(expected, actual, at, matching), ...contents(expected, actual, at, matching)];
}

function named({ name, namespace }: XmlElement): string {
  return namespace === '' ? name : `${name} xmlns="${namespace}"`;
}

function attributes(
  expected: XmlElement,
  actual: XmlElement,
  at: At,
  { rules, fits, isStrict }: Matching,
): readonly string[] {
  const found = Object.entries(expected.attributes).flatMap(([name, value = '']) => {
    const path = `${at.path}['@${name}']`;
    const got = actual.attributes[name];
    if (got === undefined) return [`${path}: is missing`];
    return values(value, got, path, rules.find([...at.place, `@${name}`]), fits);
  });
  const more = Object.keys(actual.attributes).filter((name) => !Object.hasOwn(expected.attributes, name));
  return isStrict ? [...found, ...more.map((name) => `${at.path}['@${name}']: was not expected`)] : found;
}

function contents(expected: XmlElement, actual: XmlElement, at: At, matching: Matching): readonly string[] {
  const { rules, fits } = matching;
  if (expected.children.length > 0) return elements(expected.children, actual.children, at, matching);
  const [wanted, got] = [expected.text.trim(), actual.children.length > 0 ? '' : actual.text.trim()];
  const found = values(wanted, got, `${at.path}.#text`, rules.find([...at.place, '#text']), fits);
  return matching.isStrict ? [...found, ...unexpected(new Set(), actual.children, at)] : found;
}

/**
 * Elements of one name are a list: fewer than expected are missing, more are refused in requests, unless a rule frees
 * its length. Answers may bring other names too, but not into an element that a rule itself holds to a type.
 */
function elements(
  expected: readonly XmlElement[],
  actual: readonly XmlElement[],
  at: At,
  matching: Matching,
): readonly string[] {
  const rule = matching.rules.find(at.place);
  const isFree = isType(rule) || matching.rules.hasElementRule(at.place);
  const own = matching.rules.own(at.place);
  const found = [...sizeMismatches(own, actual.length, at.path, 'elements')];
  const names = new Set(expected.map(({ name }) => name));
  for (const name of names) {
    const wanted = expected.filter((one) => one.name === name);
    const given = [...actual.entries()].filter(([, one]) => one.name === name);
    if (given.length > 0 || own?.min === 0) addAll(found, namesakes(wanted, given, at, { ...matching, isFree }));
    else found.push(`${at.path}.${name}: is missing`);
  }
  const isClosed = matching.isStrict || isType(own);
  return isClosed ? [...found, ...unexpected(names, actual, at)] : found;
}

/** A rule about the type of a value; one by pattern speaks of texts. */
function isType(rule: MatchingRule | undefined): boolean {
  return rule !== undefined && rule.regex === undefined;
}

/** Elements of one name beside those expected of it. */
function namesakes(
  wanted: readonly XmlElement[],
  given: readonly (readonly [number, XmlElement])[],
  at: At,
  matching: Matching & { readonly isFree: boolean },
): readonly string[] {
  const { isFree, isStrict } = matching;
  const name = wanted[0]?.name ?? '';
  if (!isFree && (given.length < wanted.length || (isStrict && given.length > wanted.length)))
    return [`${at.path}.${name}: expected ${wanted.length} elements, got ${given.length}`];
  return given.flatMap(([index, one], nth) => {
    const example = isFree ? wanted[0] : wanted[nth];
    if (!example) return [];
    const piece = { name, index: String(index), nth: String(nth) };
    return compare(example, one, { place: [...at.place, piece], path: `${at.path}[${index}]` }, matching);
  });
}

function unexpected(names: ReadonlySet<string>, actual: readonly XmlElement[], { path }: At): readonly string[] {
  return actual.filter(({ name }) => !names.has(name)).map(({ name }) => `${path}.${name}: was not expected`);
}
