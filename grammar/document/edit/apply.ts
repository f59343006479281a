import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { changedText, findChange } from './operations.ts';
import type { Change } from './operations.ts';
import { valueAt } from '../route.ts';

/**
 * Origins of the values of a changed tree. Children that it does not list are those of `origin` under the same step;
 * below a value that is new, everything is new.
 */
export interface Shadow {
  /** The route in the old tree; of a new value that of the nearest old one around it. */
  readonly origin: Route;
  readonly isNew: boolean;
  readonly below: ReadonlyMap<string | number, Shadow>;
}

export interface Applied {
  readonly value: Json;
  readonly shadow: Shadow;
}

/**
 * A tree after a batch of changes; what does not change is shared with the old tree. Throws a RangeError when a route
 * leads nowhere.
 */
export function applyChanges(root: Json, changes: Change): Applied {
  return changed(root, changes, root, changes);
}

function changed(value: Json, change: Change, root: Json, all: Change): Applied {
  const { route } = change;
  if (change.replacement !== undefined) return fresh(change.replacement.value, route);
  if (change.texts.length > 0 && typeof value === 'string') return fresh(changedText(value, change.texts), route);
  if (change.insertions.length === 0 && change.below.size === 0)
    return { value, shadow: { origin: route, isNew: false, below: NONE } };
  if (Array.isArray(value)) return changedList(value as readonly Json[], change, root, all);
  if (!isObject(value)) throw nowhere();
  return changedObject(value, change, root, all);
}

function nowhere(): RangeError {
  return new RangeError('A route of an operation leads nowhere.');
}

const NONE: ReadonlyMap<string | number, Shadow> = new Map();

function fresh(value: Json, origin: Route): Applied {
  return { value, shadow: { origin, isNew: true, below: NONE } };
}

function changedObject(value: JsonObject, change: Change, root: Json, all: Change): Applied {
  for (const key of change.below.keys()) if (typeof key === 'number' || !Object.hasOwn(value, key)) throw nowhere();
  const entries = new Map<string, Json>();
  const below = new Map<string, Shadow>();
  for (const [key, item] of Object.entries(value)) {
    const inner = change.below.get(key);
    if (inner === undefined) {
      entries.set(key, item);
    } else if (inner.isRemoved === undefined) {
      const applied = changed(item, inner, root, all);
      entries.set(inner.renamed ?? key, applied.value);
      below.set(inner.renamed ?? key, applied.shadow);
    }
  }
  for (const insertion of change.insertions) {
    const applied = 'value' in insertion ? fresh(insertion.value, change.route) : moved(insertion.from, root, all);
    entries.set(String(insertion.key), applied.value);
    below.set(String(insertion.key), applied.shadow);
  }
  // Unlike an object literal, this makes an own property of "__proto__".
  return { value: Object.fromEntries(entries), shadow: { origin: change.route, isNew: false, below } };
}

function changedList(value: readonly Json[], change: Change, root: Json, all: Change): Applied {
  for (const index of change.below.keys()) if (typeof index === 'string' || index >= value.length) throw nowhere();
  const items: Json[] = [];
  const below = new Map<number, Shadow>();
  const add = ({ value: item, shadow }: Applied): void => {
    below.set(items.length, shadow);
    items.push(item);
  };
  for (let index = 0; index <= value.length; index += 1) {
    for (const insertion of change.insertions) {
      if (placeIn(insertion.key, value.length) !== index) continue;
      add('value' in insertion ? fresh(insertion.value, change.route) : moved(insertion.from, root, all));
    }
    const item = value[index];
    const inner = change.below.get(index);
    if (item === undefined || inner?.isRemoved === true) continue;
    if (inner !== undefined) add(changed(item, inner, root, all));
    // A shadow only where the index has changed.
    else if (items.length === index) items.push(item);
    else add({ value: item, shadow: { origin: [...change.route, index], isNew: false, below: NONE } });
  }
  return { value: items, shadow: { origin: change.route, isNew: false, below } };
}

/** The index before which an insertion stands; beyond the end it is appended. */
export function placeIn(key: string | number, length: number): number {
  return typeof key === 'number' ? Math.max(0, Math.min(key, length)) : length;
}

function moved(from: Route, root: Json, all: Change): Applied {
  const value = valueAt(root, from);
  const change = findChange(all, from);
  if (value === undefined || change === undefined) throw nowhere();
  return changed(value, change, root, all);
}
