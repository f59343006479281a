import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Json } from '#schemas/types/json.ts';
import { MOST_ITERATIONS, rangeLength } from '#schemas/types/range.ts';

import { kindOf } from '../3-parse/fields.ts';
import { typeWords } from '../3-parse/type-words.ts';
import { argumentRoute, rangeOf, type Call } from '../4-resolve/resolved.ts';

import { fits, type Walk } from './walker.ts';

/**
 * Reports what can be known of a loop's header beside the types of its keys: bounds of a range, and what it collects.
 */
export function checkLoop(call: Call, document: Document, walk: Walk, report: Report): void {
  if (call.step.control?.as === undefined) return;
  const at = (key: string, ...inside: string[]) =>
    ({ source: document.source, route: argumentRoute(call, key, document, inside), part: 'value' }) as const;
  const { collect } = call.args;
  const isFilled = call.texts?.some(({ parameter }) => parameter === 'collect') === true;
  if (collect !== undefined && collect !== null && !isFilled) report(d.collectsNoValue({ at: at('collect') }));
  const range = rangeOf(call);
  if (range === undefined) return;
  const written = Object.entries(range);
  for (const [bound, value] of written) {
    const actual = boundProblem(value, walk);
    if (actual !== undefined) return report(d.rangeBoundUnfit({ at: at('for_each', bound), bound, actual }));
  }
  if (range['step'] === 0) return report(d.rangeStepZero({ at: at('for_each', 'step') }));
  const { from, to, step } = range;
  if (typeof from !== 'number' || typeof to !== 'number') return;
  if (step !== undefined && typeof step !== 'number') return;
  const count = rangeLength(from, to, step);
  if (count > MOST_ITERATIONS) report(d.loopTooLong({ at: at('for_each'), count, limit: MOST_ITERATIONS }));
}

/** Words for a bound that is no number; undefined for one, and for a reference that may stand for one. */
function boundProblem(bound: Json, walk: Walk): string | undefined {
  const [problem] = fits({ type: 'number' }, bound, walk).problems;
  if (problem === undefined) return undefined;
  return problem.is === undefined ? kindOf(bound) : `"${String(bound)}", which is ${typeWords(problem.is)}`;
}
