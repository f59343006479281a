import { isObject, type Json } from '#schemas/types/json.ts';
import type { Document } from '#grammar/document/document.ts';
import type { Route } from '#schemas/types/place.ts';

import type { Step, StepList } from './ast.ts';

/** Route of an action; in a graph, the `action` of its node. */
export function stepRoute(step: Step): Route {
  return elementRoute(step.list, step.index);
}

/** Route of the action of an element of a list. */
export function elementRoute(list: Pick<StepList, 'route' | 'kind'>, index: number): Route {
  return list.kind === 'graph' ? [...list.route, index, 'action'] : [...list.route, index];
}

/** Place of the command's name: its route, and whether it is a key or a value there. */
export function commandPlace(step: Step): { readonly route: Route; readonly part: 'key' | 'value' } {
  const route = stepRoute(step);
  if (step.form === 'name') return { route, part: 'value' };
  return step.form === 'array'
    ? { route: [...route, 0], part: 'value' }
    : { route: [...route, step.command], part: 'key' };
}

/** Route of a parameter's value that was given by name. */
export function keywordRoute(step: Step, name: string): Route {
  const route = stepRoute(step);
  if (step.form === 'control') return [...route, name];
  if (step.form === 'object') return [...route, step.command, name];
  return [...route, step.positional === undefined ? 1 : 2, name];
}

/** Route of a parameter's value that was given by position. */
export function positionalRoute(step: Step, document: Document, position: number): Route {
  const route = stepRoute(step);
  if (step.form === 'array') return [...route, 1, position];
  const value = valueAt(document.value, [...route, step.command]);
  return Array.isArray(value) ? [...route, step.command, position] : [...route, step.command];
}

/** Route of a step option: beside the command, in the third element, in the node, or among the parameters. */
export function optionRoute(step: Step, document: Document, option: string): Route {
  const route = stepRoute(step);
  const places: Route[] = [
    [...step.list.route, step.index, option],
    [...route, option],
    [...route, 2, option],
    [...route, 1, option],
    [...route, step.command, option],
  ];
  return places.find((place) => valueAt(document.value, place) !== undefined) ?? route;
}

/** The value that a route leads to; undefined where it leads nowhere. */
export function valueAt(top: Json, route: Route): Json | undefined {
  let value: Json | undefined = top;
  for (const piece of route) {
    if (typeof piece === 'number') value = Array.isArray(value) ? value[piece] : undefined;
    else value = isObject(value) && Object.hasOwn(value, piece) ? value[piece] : undefined;
  }
  return value;
}
