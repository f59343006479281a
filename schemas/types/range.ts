/** Highest number of rounds of a loop. */
export const MOST_ITERATIONS = 1_000_000;

/** Tolerance for rounding, in steps: `{from: 0, to: 1, step: 0.1}` has eleven numbers. */
const ROUNDING = 1e-9;

/** Number of numbers in a range, `to` included; `step` is 1, or -1 where `to` lies below `from`, and never 0. */
export function rangeLength(from: number, to: number, step: number = to < from ? -1 : 1): number {
  return Math.max(Math.floor((to - from) / step + ROUNDING) + 1, 0);
}
