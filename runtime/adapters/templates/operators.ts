import type { Value } from './library.ts';

/**
 * Result of an operator, where the library would give something else than Jinja or nothing; undefined: ask the
 * library.
 */
export type Outcome = boolean | { readonly number: number; readonly isFloat: boolean } | undefined;

export function operated(operator: string, left: Value, right: Value): Outcome {
  switch (operator) {
    case '==':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
    case '>':
    case '<=':
    case '>=':
      return typeof left.value === 'string' && typeof right.value === 'string'
        ? isInOrder(operator, left.value, right.value)
        : undefined;
    case '/':
    case '//':
    case '%':
      return divided(operator, left, right);
    default:
      return undefined;
  }
}

/** Whether values are equal as Python compares: by content, and never text with a number. */
function isEqual(left: Value, right: Value): boolean {
  const [one, other] = [left.value, right.value];
  if (Array.isArray(one) && Array.isArray(other))
    return (
      left.type === right.type &&
      one.length === other.length &&
      one.every((item, index) => isEqual(item as Value, other[index] as Value))
    );
  if (one instanceof Map && other instanceof Map)
    return (
      one.size === other.size &&
      [...(one as Map<string, Value>)].every(([key, item]) => other.has(key) && isEqual(item, other.get(key) as Value))
    );
  if (isNumeric(one) && isNumeric(other)) return Number(one) === Number(other);
  return left.type === right.type && one === other;
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function isInOrder(operator: '<' | '>' | '<=' | '>=', one: string, other: string): boolean {
  if (operator === '<') return one < other;
  if (operator === '>') return one > other;
  return operator === '<=' ? one <= other : one >= other;
}

/** The remainder has the sign of the divisor. */
function divided(operator: '/' | '//' | '%', left: Value, right: Value): Outcome {
  const [one, other] = [left.value, right.value];
  if (typeof one !== 'number' || typeof other !== 'number') return undefined;
  if (other === 0) throw new Error('division by zero');
  if (operator === '/') return { number: one / other, isFloat: true };
  const isFloat = left.type === 'FloatValue' || right.type === 'FloatValue';
  const quotient = Math.floor(one / other);
  return { number: operator === '//' ? quotient : one - quotient * other, isFloat };
}
