import type { Json } from '#schemas/types/json.ts';

/** A copy of a value in which each text is what `fill` makes of it; keys stay as they are. */
export function fillTexts(value: Json, fill: (text: string) => Json): Json {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((part) => fillTexts(part, fill));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fillTexts(part, fill)]));
}
