import { isList, isObject } from '#schemas/types/json.ts';
import { rangeLength } from '#schemas/types/range.ts';

import type { ListFacts } from '../knowledge.ts';
import { rangeOf, type Call } from '../resolved.ts';

/**
 * The kinds of events that a step with a parameter `events` runs its steps for; without a word those that leave the
 * name as it is.
 */
export function eventKinds(call: Call): ListFacts['eventKinds'] {
  if (!call.signature.parameters.has('events')) return undefined;
  const given = call.args['events'] ?? ['created', 'modified'];
  const kinds = Array.isArray(given) ? given : [given];
  return kinds.every((kind): kind is string => typeof kind === 'string' && /^[a-z]+$/.test(kind)) ? kinds : undefined;
}

/** A step with a parameter `rows` runs its steps once for each of them. */
export function rowsOf(call: Call): ListFacts['ownRows'] {
  if (!call.signature.parameters.has('rows')) return undefined;
  const rows = call.args['rows'];
  return {
    columns: isList(rows) && rows.every(isObject) ? new Set(rows.flatMap((row) => Object.keys(row))) : undefined,
  };
}

/** Least number of rounds of a loop: that of the items which are written. */
export function roundsOf(call: Call): number {
  const over = call.args['for_each'] ?? null;
  const range = rangeOf(call);
  if (range === undefined) return isList(over) ? over.length : isObject(over) ? Object.keys(over).length : 0;
  const { from, to, step } = range;
  if (typeof from !== 'number' || typeof to !== 'number') return 1;
  return step === undefined || typeof step === 'number' ? rangeLength(from, to, step) : 1;
}
