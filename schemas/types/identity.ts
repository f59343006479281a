import { isObject, type Json } from './json.ts';

/** A text that two JSON values share where they are equal, and only there: keys of objects have no order. */
export function identity(value: Json): string {
  if (typeof value === 'string') return `"${value}`;
  return JSON.stringify(value, (_, item: Json) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1))) : item,
  );
}
