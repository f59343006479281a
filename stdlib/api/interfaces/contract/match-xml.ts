import type { Ports } from '#runtime/kernel/ports.ts';

import { values } from './match.ts';
import type { Matching } from './match.ts';
import type { Place } from './rules.ts';

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
 * Elements of one name are a list: its length counts unless a rule says otherwise; in answers other names may stand
 * between.
 */
function elements(
  expected: readonly XmlElement[],
  actual: readonly XmlElement[],
  at: At,
  matching: Matching,
): readonly string[] {
  const rule = matching.rules.find(at.place);
  const isFree = (rule !== undefined && rule.regex === undefined) || matching.rules.hasElementRule(at.place);
  const names = new Set(expected.map(({ name }) => name));
  const found: string[] = [];
  if (rule?.min !== undefined && actual.length < rule.min)
    found.push(`${at.path}: fewer than ${rule.min} elements (${actual.length})`);
  if (rule?.max !== undefined && actual.length > rule.max)
    found.push(`${at.path}: more than ${rule.max} elements (${actual.length})`);
  for (const name of names) {
    const wanted = expected.filter((one) => one.name === name);
    const given = [...actual.entries()].filter(([, one]) => one.name === name);
    if (!isFree && wanted.length !== given.length) {
      found.push(`${at.path}.${name}: expected ${wanted.length} elements, got ${given.length}`);
      continue;
    }
    for (const [nth, [index, one]] of given.entries()) {
      const example = (isFree ? wanted[0] : wanted[nth]) ?? one;
      const inner = { place: [...at.place, [String(index), name]], path: `${at.path}[${index}]` };
      found.push(...compare(example, one, inner, matching));
    }
  }
  return matching.isStrict ? [...found, ...unexpected(names, actual, at)] : found;
}

function unexpected(names: ReadonlySet<string>, actual: readonly XmlElement[], { path }: At): readonly string[] {
  return actual.filter(({ name }) => !names.has(name)).map(({ name }) => `${path}.${name}: was not expected`);
}
