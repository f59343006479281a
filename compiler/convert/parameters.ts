import type { Json, JsonObject } from '#schemas/types/json.ts';

import { isStepOption } from '../phases/1-read/vocabulary.ts';
import { takesNull, type Signature } from '../phases/4-resolve/signature.ts';

import type { WrittenStep } from './written-step.ts';

/** The same step with parameters by name alone; undefined where positions have no names. */
export function byName(step: WrittenStep, { positional: names, variadic }: Signature): WrittenStep | undefined {
  const { positional, keywords } = step;
  if (positional === undefined) return step;
  if (variadic === undefined && positional.length > names.length) return undefined;
  const named: Record<string, Json> = {};
  for (const [index, parameter] of names.entries()) {
    if (index >= positional.length) break;
    const value = parameter === variadic ? positional.slice(index) : (positional[index] ?? null);
    if (value !== null || takesNull(parameter)) named[parameter.name] = value;
  }
  const all = { ...named, ...keywords };
  return { ...step, positional: undefined, keywords: Object.keys(all).length === 0 ? undefined : all };
}

/** The same step with as many parameters by position as can stand so, and the names of the others. */
export function byPosition(
  step: WrittenStep,
  signature: Signature,
): { readonly step: WrittenStep; readonly others: readonly string[] } {
  const named = byName(step, signature);
  if (named?.keywords === undefined) return { step, others: [] };
  // Of some commands, options may stand among the parameters.
  const entries = Object.entries(named.keywords);
  const isOption = (key: string): boolean => isStepOption(key) && !signature.parameters.has(key);
  const options = { ...Object.fromEntries(entries.filter(([key]) => isOption(key))), ...step.options };
  const keywords: JsonObject = Object.fromEntries(entries.filter(([key]) => !isOption(key)));
  const positions = inOrder(keywords, signature);
  const taken = new Set(signature.positional.slice(0, positions.length).map(({ name }) => name));
  const spread = signature.variadic === undefined ? undefined : keywords[signature.variadic.name];
  const values =
    signature.variadic !== undefined && taken.has(signature.variadic.name) && Array.isArray(spread)
      ? [...positions.slice(0, -1), ...(spread as readonly Json[])]
      : positions;
  const others = Object.keys(keywords).filter((key) => !taken.has(key));
  const rest = Object.fromEntries(others.map((key) => [key, keywords[key] ?? null]));
  return {
    step: {
      ...named,
      options,
      positional: values.length === 0 ? undefined : values,
      keywords: others.length === 0 ? undefined : rest,
    },
    others,
  };
}

/** The values from the first position on; a gap is null where that says that nothing is given. */
function inOrder(keywords: JsonObject, { positional, variadic }: Signature): readonly Json[] {
  const values: Json[] = [];
  let length = 0;
  for (const parameter of positional) {
    const value = Object.hasOwn(keywords, parameter.name) ? keywords[parameter.name] : undefined;
    if (value === undefined && (takesNull(parameter) || parameter === variadic)) break;
    // By position null is nothing, by name it is a mistake: that stays one.
    if (value === null && !takesNull(parameter)) break;
    if (parameter === variadic && !Array.isArray(value)) break;
    values.push(value ?? null);
    if (value !== undefined) length = values.length;
  }
  return values.slice(0, length);
}
