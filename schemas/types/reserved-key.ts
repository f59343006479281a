/** The one name that is never a key or a column of data: objects of this language take it for more than a name. */
export const RESERVED_KEY = '__proto__';

/** Whether a value, or anything in it, has that key. */
export function hasReservedKey(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, RESERVED_KEY)) return true;
    for (const part of Object.values(next)) if (typeof part === 'object') open.push(part);
  }
  return false;
}

/** Whether a JSON text may hold that key, as it is or with escapes: the rest need not be looked at. */
export function mayHoldReservedKey(text: string): boolean {
  return text.includes(RESERVED_KEY) || /\\u00(?:5f|7[024]|6f)/i.test(text);
}
