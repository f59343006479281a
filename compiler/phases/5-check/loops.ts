import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Json } from '#schemas/types/json.ts';
import { MOST_ITERATIONS, rangeLength } from '#schemas/types/range.ts';

import { kindOf } from '../3-parse/fields.ts';
import { argumentRoute, rangeOf, type Call } from '../4-resolve/resolved.ts';

/**
 * Reports what can be known of a loop's header beside the types of its keys: bounds of a range, and what it collects.
 */
export function checkLoop(call: Call, document: Document, report: Report): void {
  if (call.step.control?.as === undefined) return;
  const at = (key: string, ...inside: string[]) =>
    ({ source: document.source, route: argumentRoute(call, key, document, inside), part: 'value' }) as const;
  const { collect } = call.args;
  const isFilled = call.texts?.some(({ parameter }) => parameter === 'collect') === true;
  if (collect !== undefined && collect !== null && !isFilled) report(d.collectsNoValue({ at: at('collect') }));
  const range = rangeOf(call);
  if (range === undefined) return;
  const written = Object.entries(range);
  const unfit = written.find(([, bound]) => !isBound(bound));
  if (unfit !== undefined)
    return report(d.rangeBoundUnfit({ at: at('for_each', unfit[0]), bound: unfit[0], actual: kindOf(unfit[1]) }));
  if (range['step'] === 0) return report(d.rangeStepZero({ at: at('for_each', 'step') }));
  const { from, to, step } = range;
  if (typeof from !== 'number' || typeof to !== 'number') return;
  if (step !== undefined && typeof step !== 'number') return;
  const count = rangeLength(from, to, step);
  if (count > MOST_ITERATIONS) report(d.loopTooLong({ at: at('for_each'), count, limit: MOST_ITERATIONS }));
}

/** A number, or a text, whose references only a run can fill. */
function isBound(bound: Json): boolean {
  return typeof bound === 'number' || (typeof bound === 'string' && bound.includes('{'));
}
