import type { Condition } from '#schemas/types/condition-tree.ts';
import { Failure, type FalseExpectation } from '#schemas/types/failure.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Capture } from '#schemas/types/plan.ts';
import { MOST_EXPECTATIONS } from '#schemas/types/record.ts';

import { isFailure } from '../as-failure.ts';
import type { Regex } from '../ports.ts';
import { asksForThePast } from './asks-for-the-past.ts';
import { capture } from './capture.ts';
import { holds, unmet } from './condition.ts';
import { readScalar } from './convert.ts';
import { fill, valueOf } from './fill.ts';
import { makeRegex } from './regex.ts';
import type { Filling, Surroundings } from './surroundings.ts';
import { titleText } from './title.ts';
import { unfit } from './unfit.ts';

/**
 * Kernel part for plans that hold more than literals: references, conditions, captures, inputs. Linked only
 * there.
 */
export interface Values {
  readonly fill: typeof fill;
  readonly valueOf: typeof valueOf;
  /**
   * Whether a `when`, or the condition of an `if`, holds; undefined where only a real run could tell. The failure says
   * what it is about.
   */
  wanted(
    condition: Condition,
    at: Surroundings,
    filling: Filling,
    host: Host,
    about?: 'when' | 'condition',
  ): boolean | undefined;
  /** Throws the failure of the first condition of an `expect` that does not hold, with all of them. */
  expect(conditions: readonly Condition[], at: Surroundings, filling: Filling, host: Host): void;
  /** Takes the value of an entry of `save_as`; the failure says which entry it is. */
  capture(saveAs: Capture, index: number, result: unknown, host: Host): unknown;
  regex(host: Host): Regex;
  readonly title: typeof titleText;
  readonly unfit: typeof unfit;
  readonly readScalar: typeof readScalar;
  readonly asksForThePast: typeof asksForThePast;
}

export const values: Values = {
  fill,
  valueOf,
  wanted(condition, at, filling, host, about = 'when') {
    try {
      return holds(condition, { at, filling, regex: makeRegex(host), missing: 'when' });
    } catch (error) {
      throw isFailure(error) ? new Failure(error.facts, { ...error.options, [about]: true }) : error;
    }
  },
  expect(conditions, at, filling, host) {
    const judge = { at, filling, regex: makeRegex(host), missing: 'expect' } as const;
    const wrong: FalseExpectation[] = [];
    for (const [index, condition] of conditions.entries()) {
      const failure = unmet(condition, judge);
      if (failure && wrong.push({ index, failure }) === MOST_EXPECTATIONS) break;
    }
    const first = wrong[0]?.failure;
    if (first) throw new Failure(first.facts, { ...first.options, expectations: wrong });
  },
  capture(saveAs, index, result, host) {
    try {
      return capture(saveAs, result, makeRegex(host));
    } catch (error) {
      throw isFailure(error) ? new Failure(error.facts, { ...error.options, capture: index }) : error;
    }
  },
  regex: makeRegex,
  title: titleText,
  unfit,
  readScalar,
  asksForThePast,
};
