/** Whether two JSON values are the same; keys of objects have no order. */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((part, index) => deepEqual(part, right[index]))
    );
  }
  const keys = Object.keys(left);
  const other = right as Readonly<Record<string, unknown>>;
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every(
    (key) => Object.hasOwn(other, key) && deepEqual((left as Readonly<Record<string, unknown>>)[key], other[key]),
  );
}
