import type { Fix } from '#schemas/types/fix.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { listed } from '../3-parse/fields.ts';
import { writing } from '../3-parse/meant.ts';

import type { Problem } from './answer.ts';

/** Suggestions for the header of a loop that is neither a list nor an object: what it likely goes over. */
export function itemsMeant(
  { keyword, actual, route: inside }: Problem,
  route: Route,
  command: string,
  as: Json | undefined,
): readonly Fix[] {
  if (keyword !== 'type' || command !== 'for_each' || inside.length !== 1 || inside[0] !== 'for_each') return [];
  const meant = overWhat(actual);
  const [, item, over] =
    typeof actual === 'string' ? (/^(\w+) (?:in|of) ([A-Za-z_][\w.]*)$/.exec(actual.trim()) ?? []) : [];
  if (item !== undefined && over !== undefined && as === undefined)
    return [
      {
        title: `write {{${over}}}, and as: ${item}`,
        safety: 'unsafe',
        operations: [
          { kind: 'replace', route, value: `{{${over}}}` },
          { kind: 'insert', route: route.slice(0, -1), key: 'as', value: item },
        ],
      },
    ];
  return meant === undefined ? [] : writing(route, meant, 'unsafe').fixes;
}

/** `3`, `1..3` and `range(3)` as ranges, `a, b` as a list, `items` as the variable. */
function overWhat(value: Json): Json | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value > 0 ? { from: 1, to: value } : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return overWhat(Number(value));
  const [, from, to] = /^(-?\d{1,9}) ?(?:\.\.\.?|-) ?(-?\d{1,9})$/.exec(value.trim()) ?? [];
  if (from !== undefined) return { from: Number(from), to: Number(to) };
  // As Python counts: the end is not one of them.
  const [, first, end] = /^range\((?:(-?\d{1,9}), ?)?(-?\d{1,9})\)$/.exec(value.trim()) ?? [];
  if (end !== undefined && Number(end) > Number(first ?? 0)) return { from: Number(first ?? 0), to: Number(end) - 1 };
  if (value.includes(',')) return listed(value);
  return /^[A-Za-z_]\w*(?:\.\w+)*$/.test(value) ? `{{${value}}}` : undefined;
}
