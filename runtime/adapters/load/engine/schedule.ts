import type { LoadModel } from '#schemas/types/load.ts';

/** Seconds that a model takes. */
export function lengthOf({ stages }: LoadModel): number {
  return stages.reduce((sum, { seconds }) => sum + seconds, 0);
}

/**
 * The level (users, or requests a second) at a time: it goes in a straight line from one stage's level to the next
 * one's.
 */
export function levelAt(stages: readonly { readonly level: number; readonly seconds: number }[], at: number): number {
  let before = 0;
  let begun = 0;
  for (const { level, seconds } of stages) {
    if (at < begun + seconds) return before + ((level - before) * (at - begun)) / seconds;
    before = level;
    begun += seconds;
  }
  return before;
}

/**
 * Times at which requests of an open model are due, in seconds from its begin: those at which the area below
 * the line of rates reaches 1, 2, 3, …
 */
export function* arrivals(stages: readonly { readonly rate: number; readonly seconds: number }[]): Generator<number> {
  let before = 0;
  let begun = 0;
  // Requests that are due so far, with the fraction of the next one.
  let area = 0;
  let next = 1;
  for (const { rate, seconds } of stages) {
    const slope = seconds === 0 ? 0 : (rate - before) / seconds;
    const end = area + ((before + rate) / 2) * seconds;
    for (; next <= end + 1e-9; next++) {
      const wanted = next - area;
      // before·t + slope·t²/2 = wanted
      const root = Math.sqrt(Math.max(0, before * before + 2 * slope * wanted));
      const at = Math.abs(slope) < 1e-12 ? wanted / before : (2 * wanted) / (before + root);
      yield begun + Math.min(at, seconds);
    }
    area = end;
    begun += seconds;
    before = rate;
  }
}
