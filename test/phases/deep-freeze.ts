/**
 * Freezes everything that can be reached from a value by its own properties; maps, sets and class instances are
 * entered, not frozen.
 */
export function deepFreeze(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  if (value instanceof Map) {
    for (const [key, item] of value) {
      deepFreeze(key, seen);
      deepFreeze(item, seen);
    }
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || prototype === Object.prototype || prototype === null;
  if (isPlain) Object.freeze(value);
  for (const item of Object.values(value)) deepFreeze(item, seen);
}
