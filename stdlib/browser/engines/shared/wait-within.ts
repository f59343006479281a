/** Time (ms) of a step in which it is told what kept its element from being ready. */
const toldMs = 400;

/** Time (ms) that a wait may take of the `left` of its step, so that its end can still be told. */
export function waitWithin(left: number): number {
  return Math.max(left - Math.min(toldMs, left / 4), 0);
}
