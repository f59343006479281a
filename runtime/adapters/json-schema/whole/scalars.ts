import { deepEqual } from '#runtime/kernel/values/deep-equal.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

import { isMultiple } from '../multiple-of.ts';
import type { Visit } from './visit.ts';

/** Type, allowed values, and what is said of numbers and texts, in ajv's words. */
export function checkValue(visit: Visit): void {
  const { value } = visit;
  const type = visit.get('type');
  const types = isList(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.some((one) => isOf(one, value))) visit.find('type', `must be ${types.join(',')}`);
  const [allowed, only] = [visit.get('enum'), visit.get('const')];
  if (isList(allowed) && !allowed.some((one) => deepEqual(one, value)))
    visit.find('enum', `must be equal to one of the allowed values: ${JSON.stringify(allowed)}`);
  if (only !== undefined && !deepEqual(only, value))
    visit.find('const', `must be equal to constant: ${JSON.stringify(only)}`);
  if (typeof value === 'number') checkNumber(visit, value);
  if (typeof value === 'string') checkText(visit, value);
  const format = visit.get('format');
  if (typeof format === 'string' && !visit.tools.hasFormat(format, value))
    visit.find('format', `must match format "${format}"`);
}

function isOf(type: Json, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return isList(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function checkNumber(visit: Visit, value: number): void {
  const bound = (keyword: string, holds: (limit: number) => boolean, words: string): void => {
    const limit = visit.get(keyword);
    if (typeof limit === 'number' && !holds(limit)) visit.find(keyword, `must be ${words} ${limit}`);
  };
  bound('minimum', (limit) => value >= limit, '>=');
  bound('maximum', (limit) => value <= limit, '<=');
  bound('exclusiveMinimum', (limit) => value > limit, '>');
  bound('exclusiveMaximum', (limit) => value < limit, '<');
  bound('multipleOf', (step) => isMultiple(value, step), 'multiple of');
}

function checkText(visit: Visit, value: string): void {
  checkCount(visit, [...value].length, ['minLength', 'maxLength'], 'characters');
  const pattern = visit.get('pattern');
  if (typeof pattern === 'string' && visit.tools.regex.match(pattern, 'u', value) === null)
    visit.find('pattern', `must match pattern "${pattern}"`);
}

/** Holds a count to its least and its most. */
export function checkCount(visit: Visit, count: number, [least, most]: readonly [string, string], unit: string): void {
  const [min, max] = [visit.get(least), visit.get(most)];
  if (typeof min === 'number' && count < min) visit.find(least, `must NOT have fewer than ${min} ${unit}`);
  if (typeof max === 'number' && count > max) visit.find(most, `must NOT have more than ${max} ${unit}`);
}
