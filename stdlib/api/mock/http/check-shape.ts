import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import type { Shape } from './config-shape.ts';

export interface ShapeFinding {
  readonly at: Route;
  /** Expected value at this place, in the shape's own keywords. */
  readonly expected: string;
}

/** Every place where a value does not have the shape, in order. */
export function checkShape(value: Json, shape: Shape, at: Route = []): ShapeFinding[] {
  if (shape.type !== undefined && !hasType(value, shape.type)) return [{ at, expected: shape.type }];
  if (shape.enum && !(typeof value === 'string' && shape.enum.includes(value)))
    return [{ at, expected: shape.enum.join(' | ') }];
  if (typeof value === 'string') return checkText(value, shape, at);
  if (typeof value === 'number') return checkNumber(value, shape, at);
  if (Array.isArray(value)) return checkList(value as readonly Json[], shape, at);
  return isObject(value) ? checkObject(value, shape, at) : [];
}

function checkText(value: string, { pattern, minLength = 0 }: Shape, at: Route): ShapeFinding[] {
  if (value.length < minLength) return [{ at, expected: `minLength ${minLength}` }];
  return pattern === undefined || new RegExp(pattern, 'u').test(value) ? [] : [{ at, expected: `pattern ${pattern}` }];
}

function checkNumber(value: number, { minimum = -Infinity, maximum = Infinity }: Shape, at: Route): ShapeFinding[] {
  return value >= minimum && value <= maximum ? [] : [{ at, expected: `${minimum}..${maximum}` }];
}

function checkList(list: readonly Json[], { items, minItems = 0, uniqueItems }: Shape, at: Route): ShapeFinding[] {
  const findings = items ? list.flatMap((item, index) => checkShape(item, items, [...at, index])) : [];
  if (list.length < minItems) findings.push({ at, expected: `minItems ${minItems}` });
  if (uniqueItems && new Set(list).size < list.length) findings.push({ at, expected: 'uniqueItems' });
  return findings;
}

function checkObject(
  value: Readonly<Record<string, Json>>,
  { properties = {}, required = [], additionalProperties }: Shape,
  at: Route,
): ShapeFinding[] {
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ at: [...at, name], expected: 'required' }));
  const others = Object.entries(value).flatMap(([name, item]) => {
    const shape = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (shape === false) return [{ at: [...at, name], expected: Object.keys(properties).join(' | ') }];
    return shape ? checkShape(item, shape, [...at, name]) : [];
  });
  return [...missing, ...others];
}

function hasType(value: Json, type: NonNullable<Shape['type']>): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
