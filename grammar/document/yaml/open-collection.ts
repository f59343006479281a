import { EVENT_ID } from 'js-yaml';
import type { Event } from 'js-yaml';

import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

export type Holder = Json[] | Record<string, Json>;

/** An open collection. There is one object a depth, used again and again. */
export interface OpenCollection {
  holder: Holder;
  isList: boolean;
  /** Index of its event. */
  event: number;
  /** Key of an object whose value comes next; undefined where that value is dropped. */
  key: string | undefined;
  expectsKey: boolean;
  anchor: string | undefined;
  valuesBefore: number;
  /** Collections inside one another below it. */
  height: number;
  /** Value to take instead of it: the text that an unquoted reference was meant to be. */
  meant: string | undefined;
}

export function emptyCollection(): OpenCollection {
  return {
    holder: [],
    isList: true,
    event: 0,
    key: undefined,
    expectsKey: false,
    anchor: undefined,
    valuesBefore: 0,
    height: 0,
    meant: undefined,
  };
}

/** The way through the open collections to the value that comes next in the last of them. */
export function routeOf(open: readonly OpenCollection[], depth: number): Route {
  const route: (string | number)[] = [];
  for (const { isList, holder, key } of open.slice(0, Math.max(0, depth))) {
    if (isList) route.push((holder as Json[]).length);
    else if (key !== undefined) route.push(key);
    else break;
  }
  return route;
}

/** The index of the event that closes the collection which begins at `index`. */
export function endOfCollection(events: readonly Event[], index: number): number {
  let depth = 0;
  for (let at = index; at < events.length; at += 1) {
    const type = events[at]?.type;
    if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth += 1;
    else if (type === EVENT_ID.POP) depth -= 1;
    if (depth === 0) return at;
  }
  return events.length;
}

/** The last offset that an event before `index` speaks of. */
export function lastOffset(events: readonly Event[], index: number): number {
  for (let at = index - 1; at >= 0; at -= 1) {
    const event = events[at];
    if (event?.type === EVENT_ID.SCALAR && event.valueEnd >= 0) return event.valueEnd;
    if (event?.type === EVENT_ID.ALIAS) return event.anchorEnd;
    if (event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE) return event.start + 1;
  }
  return 0;
}
