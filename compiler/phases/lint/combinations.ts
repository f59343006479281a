import type { Document } from '#grammar/document/document.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import { isList, type Json, type JsonObject } from '#schemas/types/json.ts';

import { isSame } from '../3-parse/combinations.ts';
import { valueAt } from '../3-parse/routes.ts';

import { GroupedCalls } from './call-groups.ts';
import { lookAtArguments } from './passes.ts';
import type { FilledCall, ResolvedUnit, Rule } from './rule.ts';

/**
 * Findings that only some combinations of a matrix make: calls are looked at with the values of each. What was found at
 * the same place before is not told again.
 */
export function findingsOfCombinations(
  rules: readonly Rule[],
  resolved: ResolvedUnit,
  before: readonly Diagnostic[],
): readonly Diagnostic[] {
  const told = new Set(before.map(placeOf));
  const found = new Map<string, { readonly diagnostic: Diagnostic; readonly by: FilledCall[] }>();
  for (const filled of resolved.filled) {
    const calls = [filled.call];
    const report = (diagnostic: Diagnostic): void => {
      const place = placeOf(diagnostic);
      if (told.has(place)) return;
      const known = found.get(place);
      if (known === undefined) found.set(place, { diagnostic, by: [filled] });
      else if (known.by.at(-1) !== filled) known.by.push(filled);
    };
    lookAtArguments(rules, calls, anything, report);
    const unit = { ...resolved, calls, groups: new GroupedCalls(calls), report };
    for (const rule of rules) if (rule.judgesValues) rule.resolved?.(unit);
  }
  return [...found.values()].map(({ diagnostic, by }) =>
    ofCombination(diagnostic, decidingValues(by, resolved.filled), resolved.document),
  );
}

/** Values of a matrix make texts that the file does not hold. */
const anything = (): boolean => true;

function placeOf({ code, primary: { route } }: Diagnostic): string {
  return `${code} ${JSON.stringify(route)}`;
}

/** Values of the first of several combinations, of the keys alone that tell these from the others of the same call. */
function decidingValues(by: readonly FilledCall[], filled: readonly FilledCall[]): JsonObject {
  const [first] = by;
  if (first === undefined) return {};
  const others = filled.filter((each) => each.call.node.id === first.call.node.id && !by.includes(each));
  let keys = Object.keys(first.values);
  for (const key of keys.toReversed()) {
    const fewer = keys.filter((each) => each !== key);
    const made = new Set(by.map(({ values }) => only(values, fewer)));
    if (!others.some(({ values }) => made.has(only(values, fewer)))) keys = fewer;
  }
  return Object.fromEntries(keys.map((key) => [key, first.values[key] ?? null]));
}

function only(values: JsonObject, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => values[key]));
}

/** The finding with the values that make it, and without ranges and fixes: those speak of the filled text. */
function ofCombination(diagnostic: Diagnostic, values: JsonObject, document: Document): Diagnostic {
  const { primary, related } = diagnostic;
  const places = Object.entries(values).map(([key, value]) => placeOfValue(key, value, document));
  return { ...diagnostic, fixes: [], primary: { ...primary, part: 'value' }, related: [...related, ...places] };
}

function placeOfValue(key: string, value: Json, document: Document): Label {
  const route = ['meta', 'matrix', key];
  const axis = valueAt(document.value, route) ?? null;
  const index = isList(axis) ? axis.findIndex((each) => isSame(each, value)) : -1;
  return {
    source: document.source,
    route: index < 0 ? route : [...route, index],
    part: 'value',
    text: `where "${key}" is this`,
  };
}
