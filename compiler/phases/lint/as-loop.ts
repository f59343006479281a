import type { Document } from '#grammar/document/document.ts';
import { startsWith, valueAt } from '#grammar/document/route.ts';
import { endOfLine } from '#grammar/source/lines.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Node, OnFailure } from '#schemas/types/plan.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

import { literal, type ResolvedCall, type ResolvedUnit } from './rule.ts';

/** Steps of one list, one behind the other, that differ in one parameter alone. */
export interface Alike {
  readonly list: readonly Node[];
  readonly calls: readonly ResolvedCall[];
  readonly parameter: string;
}

/**
 * The suggestion that writes steps as one loop. There is none where it would lose a comment, nor where a step in a loop
 * could not be what it is now: it has an id, depends on another one, or the compiler must know the parameter.
 */
export function loopFixes({ list, calls, parameter }: Alike, unit: ResolvedUnit): readonly Fix[] {
  const { document } = unit;
  const [first] = calls;
  if (first === undefined || !canVary(first, parameter) || !calls.every(isFree)) return [];
  const routes = calls.map(({ route }) => route);
  const places = calls.map((call) => call.argumentAt(parameter).route);
  if (!places.every((place, index) => isInside(place, routes[index] ?? [], document))) return [];
  if (!areNeighbours(routes) || holdsComment(routes, document)) return [];
  const items = places.map((place) => valueAt(document.value, place) ?? null);
  const step = valueAt(document.value, first.route) ?? null;
  const name = freeName(step);
  const onFailure = onFailureOf(first.node, list, unit);
  const isLiteral = calls.every((call) => literal(call, parameter) !== undefined);
  if (name === undefined || onFailure === undefined || !isLiteral || !areOfOneType(items)) return [];
  const loop = {
    for_each: items,
    ...(name !== 'item' && { as: name }),
    do: [replacedAt(step, (places[0] ?? []).slice(first.route.length), `{{${name}}}`)],
    ...(onFailure !== 'as the list' && { on_failure: onFailure }),
  };
  const operations = routes.map((route, index) =>
    index === 0 ? ({ kind: 'replace', route, value: loop } as const) : ({ kind: 'remove', route } as const),
  );
  return [{ title: 'write it as `for_each`', safety: 'unsafe', operations }];
}

/** Whether a run alone may know the parameter's value, and one value is all of it. */
function canVary({ info }: ResolvedCall, name: string): boolean {
  const parameter = info.params.find((each) => each.name === name);
  if (parameter === undefined) return false;
  const { variadic, text, list, chooses, packs, links, starts } = parameter;
  return (variadic ?? text ?? list ?? chooses ?? packs ?? links ?? starts) === undefined;
}

/** Whether no other step can speak of it: it has no id of its own; and it speaks of no other one. */
function isFree({ node: { id, after } }: ResolvedCall): boolean {
  return after === undefined && /[#.]\d+$/.test(id);
}

function isInside(place: Route, step: Route, document: Document): boolean {
  return place.length > step.length && startsWith(place, step) && !document.isAliased(place);
}

/** Whether the steps stand in one list, one behind the other. */
function areNeighbours(routes: readonly Route[]): boolean {
  const [first = []] = routes;
  const begin = first.at(-1);
  return (
    typeof begin === 'number' &&
    routes.every((route, index) => startsWith(route, first.slice(0, -1)) && route.at(-1) === begin + index)
  );
}

function holdsComment(routes: readonly Route[], document: Document): boolean {
  const { start } = document.spanAt(routes[0] ?? []);
  const end = endOfLine(document.text, document.spanAt(routes.at(-1) ?? []).end);
  return document.comments().some(({ span }) => span.start >= start && span.start < end);
}

/** The first of some names that the step does not speak of. */
function freeName(step: Json): string | undefined {
  const text = JSON.stringify(step);
  return ['item', 'each', 'entry'].find((name) => !text.includes(name));
}

function areOfOneType(items: readonly Json[]): boolean {
  return !items.includes(null) && new Set(items.map((item) => (isList(item) ? 'list' : typeof item))).size === 1;
}

/**
 * Rule for a failure of the loop with which the steps behind a failed one run as now; undefined where the steps
 * of the list run in no order.
 */
function onFailureOf(
  { on_failure: own }: Node,
  list: readonly Node[],
  { unit, groups }: ResolvedUnit,
): OnFailure | 'as the list' | undefined {
  if (list === unit.body && unit.order.kind === 'graph') return undefined;
  if (groups.holding().some((holder) => runsAtOnce(holder, list))) return undefined;
  const isStopping =
    list === unit.setup || (list === unit.body && unit.order.kind === 'list' && unit.order.on_failure === 'stop');
  if (isStopping) return own === 'continue' ? own : 'as the list';
  return own ?? 'continue';
}

/** Whether the list is one whose steps run at the same time. */
function runsAtOnce({ node, info }: ResolvedCall, list: readonly Node[]): boolean {
  const block = blocksOf(node).find(({ nodes }) => nodes === list);
  return block !== undefined && info.params.some(({ name, parallel }) => name === block.parameter && parallel === true);
}

/** A value with another one at a route inside it. */
function replacedAt(value: Json, [step, ...rest]: Route, inside: Json): Json {
  if (step === undefined) return inside;
  if (isList(value)) return value.map((item, index) => (index === step ? replacedAt(item, rest, inside) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === step ? replacedAt(item, rest, inside) : item]),
  );
}
