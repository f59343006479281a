import { canonical, typeName } from '#grammar/openapi/schema-findings.ts';
import type { Json } from '#schemas/types/json.ts';

import { datePattern } from './date-pattern.ts';
import type { MatchingRule } from './rules.ts';

/** Whether a whole text fits a pattern; it may refuse to look for too long. */
export type FitsPattern = (pattern: string, text: string) => boolean;

/** Kinds of matching that versions 2 to 4 of contract files know, and that are judged here. */
export const matchKinds = [
  'all',
  'any',
  'arrayContains',
  'boolean',
  'date',
  'datetime',
  'decimal',
  'eachKey',
  'eachValue',
  'equality',
  'include',
  'integer',
  'notEmpty',
  'null',
  'number',
  'regex',
  'semver',
  'statusCode',
  'time',
  'timestamp',
  'type',
  'values',
] as const;

const SEMVER = '\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?';

/** Reason why one value does not fit its rule; undefined: it fits. */
export function valueMismatch(rule: MatchingRule, expected: Json, actual: Json, fits: FitsPattern): string | undefined {
  const text = actual === null ? undefined : typeof actual === 'string' ? actual : JSON.stringify(actual);
  const like = (pattern: string, name: string): string | undefined =>
    text !== undefined && fits(pattern, text) ? undefined : `${shown(actual)} ${name}`;
  switch (rule.match) {
    case 'all':
      return rule.rules?.map((one) => valueMismatch(one, expected, actual, fits)).find((one) => one !== undefined);
    case 'any':
      return anyMismatch(rule.rules ?? [], (one) => valueMismatch(one, expected, actual, fits));
    case 'equality':
      return canonical(expected) === canonical(actual)
        ? undefined
        : `expected ${shown(expected)}, got ${shown(actual)}`;
    case 'include':
      return text?.includes(String(rule.value))
        ? undefined
        : `${shown(actual)} does not hold ${shown(rule.value ?? '')}`;
    case 'date':
    case 'time':
    case 'timestamp':
    case 'datetime':
      return like(
        datePattern(rule.match, rule.format),
        `is no ${rule.match}${rule.format ? ` in the form ${rule.format}` : ''}`,
      );
    case 'semver':
      return like(SEMVER, 'is no version such as 1.2.3');
    case 'integer':
      return isNumber(expected, actual, /^-?\d+$/) ? undefined : `expected integer, got ${shown(actual)}`;
    case 'number':
    case 'decimal':
      // JSON has one kind of number: 2.0 is 2 once it is read.
      return isNumber(expected, actual, /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i)
        ? undefined
        : `expected ${rule.match}, got ${shown(actual)}`;
    case 'boolean':
      return typeof actual === 'boolean' || actual === 'true' || actual === 'false'
        ? undefined
        : `expected boolean, got ${shown(actual)}`;
    case 'null':
      return actual === null ? undefined : `expected null, got ${shown(actual)}`;
    case 'notEmpty':
      return text === undefined || ['', '[]', '{}'].includes(text) ? 'is empty' : sameKind(expected, actual);
    default:
      return rule.regex === undefined ? sameKind(expected, actual) : like(rule.regex, `does not match /${rule.regex}/`);
  }
}

function anyMismatch(
  rules: readonly MatchingRule[],
  judge: (rule: MatchingRule) => string | undefined,
): string | undefined {
  const found = rules.map(judge);
  return found.includes(undefined) ? undefined : found.join(', and ');
}

/** All numbers are one type. */
function sameKind(expected: Json, actual: Json): string | undefined {
  const [wanted, got] = [kind(expected), kind(actual)];
  return wanted === got ? undefined : `expected ${wanted}, got ${got}`;
}

function kind(value: Json): string {
  const name = typeName(value);
  return name === 'integer' ? 'number' : name;
}

/** Headers, paths and queries hold numbers as texts; a body does where its example does. */
function isNumber(expected: Json, actual: Json, pattern: RegExp): boolean {
  if (typeof actual === 'number') return pattern.test(String(actual));
  return typeof actual === 'string' && typeof expected === 'string' && pattern.test(actual);
}

/** A value as a short text. */
export function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
