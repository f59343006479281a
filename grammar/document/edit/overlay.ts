import type { Label } from '#schemas/types/diagnostic.ts';
import type { TreeOperation } from '#schemas/types/fix.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route, SourceId, Span } from '#schemas/types/place.ts';

import { applyChanges } from './apply.ts';
import type { Shadow } from './apply.ts';
import type { Comment, Document } from '../document.ts';
import { changesOf } from './operations.ts';
import { valueAt } from '../route.ts';

/**
 * The document as it would be after the operations: its value and its routes are those of the new tree, its text
 * and its places those of the file on disk. A value that an operation added points to the one around it.
 * Overlays can be laid over one another. Operations that only edit text change nothing here. Throws a RangeError
 * when a route leads nowhere.
 */
export function overlay(document: Document, operations: readonly TreeOperation[]): Overlay {
  return new Overlay(document, operations);
}

export class Overlay implements Document {
  readonly source: SourceId;
  readonly format: Document['format'];
  readonly text: string;
  readonly hadByteOrderMark: boolean;
  readonly value: Json;
  /** Document under the overlay. */
  readonly base: Document;
  readonly #shadow: Shadow;
  #newRoutes: ReadonlyMap<string, Route> | undefined;

  constructor(base: Document, operations: readonly TreeOperation[]) {
    const { value, shadow } = applyChanges(base.value, changesOf(operations));
    this.source = base.source;
    this.format = base.format;
    this.text = base.text;
    this.hadByteOrderMark = base.hadByteOrderMark;
    this.value = value;
    this.base = base;
    this.#shadow = shadow;
  }

  spanAt(route: Route, part: Label['part'] = 'value'): Span {
    if (typeof part === 'object' && 'text' in part) return part.text;
    const { origin, isExact } = this.#origin(route);
    // Offsets inside of a text that was changed are not those of the file.
    return this.base.spanAt(origin, isExact || part === 'key' ? part : 'value');
  }

  routeAt(offset: number): Route {
    const old = this.base.routeAt(offset);
    this.#newRoutes ??= newRoutes(this.#shadow);
    for (let steps = old.length; steps > 0; steps -= 1) {
      const start = this.#newRoutes.get(JSON.stringify(old.slice(0, steps)));
      const route = start === undefined ? undefined : [...start, ...old.slice(steps)];
      if (route !== undefined && valueAt(this.value, route) !== undefined) return route;
    }
    return valueAt(this.value, old) === undefined ? [] : old;
  }

  comments(): readonly Comment[] {
    return this.base.comments();
  }

  isAliased(route: Route): boolean {
    return this.base.isAliased(this.#origin(route).origin);
  }

  isPoisoned(route: Route): boolean {
    return this.base.isPoisoned(this.#origin(route).origin);
  }

  /** The route of a value in the base; undefined where an operation has made it. */
  originOf(route: Route): Route | undefined {
    const { origin, isExact } = this.#origin(route);
    return isExact ? origin : undefined;
  }

  #origin(route: Route): { readonly origin: Route; readonly isExact: boolean } {
    let shadow = this.#shadow;
    for (const [index, step] of route.entries()) {
      if (shadow.isNew) return { origin: shadow.origin, isExact: false };
      const below = shadow.below.get(step);
      if (below === undefined) return { origin: [...shadow.origin, ...route.slice(index)], isExact: true };
      shadow = below;
    }
    return { origin: shadow.origin, isExact: !shadow.isNew };
  }
}

/** The new routes of all old values that a shadow speaks of, by the old route as JSON. */
function newRoutes(root: Shadow): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  const visit = (shadow: Shadow, route: Route): void => {
    if (shadow.isNew) return;
    routes.set(JSON.stringify(shadow.origin), route);
    for (const [step, below] of shadow.below) visit(below, [...route, step]);
  };
  visit(root, []);
  return routes;
}
