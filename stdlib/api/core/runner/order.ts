import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { readAction } from './read-action.ts';
import type { ActionFacts } from './read-action.ts';

/**
 * The actions so that each comes behind those that it depends on; the given order stays where nothing else is asked.
 */
export function orderActions(actions: readonly Json[]): Json[] {
  const facts = actions.map(readAction);
  const places = placesOf(facts);
  const before = facts.map(({ id, depends_on: ids }, index) =>
    ids.map((wanted) => {
      const place = places.get(wanted);
      if (place === undefined)
        throw fail.orderUnknown({ id: wanted, action: id ?? `#${index}`, known: listed(places) });
      return place;
    }),
  );
  return visit(before, (circle) => {
    throw fail.orderCycle({ circle: circle.map((index) => facts[index]?.id ?? `#${index}`).join(' -> ') });
  }).map((index) => actions[index] ?? null);
}

function placesOf(facts: readonly ActionFacts[]): Map<string, number> {
  const places = new Map<string, number>();
  facts.forEach(({ id }, index) => {
    if (id === undefined) return;
    const first = places.get(id);
    if (first !== undefined) throw fail.orderRepeated({ id, first, second: index });
    places.set(id, index);
  });
  return places;
}

/** Depth first with a stack of its own, since chains of actions may be long. */
function visit(before: readonly (readonly number[])[], cycle: (circle: readonly number[]) => never): number[] {
  const ordered: number[] = [];
  const state = before.map((): 'new' | 'open' | 'done' => 'new');
  before.forEach((_, root) => {
    const way = [root];
    while (way.length > 0) {
      const index = way.at(-1) ?? 0;
      const next = state[index] === 'done' ? undefined : before[index]?.find((place) => state[place] !== 'done');
      if (next === undefined) {
        if (state[index] !== 'done') ordered.push(index);
        state[index] = 'done';
        way.pop();
      } else {
        state[index] = 'open';
        if (state[next] === 'open' || next === index) cycle([...way.slice(way.indexOf(next)), next]);
        way.push(next);
      }
    }
  });
  return ordered;
}

function listed(places: ReadonlyMap<string, number>): string {
  return [...places.keys()].toSorted().slice(0, 12).join(', ') || 'none';
}
