import type { Meeting } from './meetings.ts';
import type { Failed, Order } from './passes.ts';

/** A change that some tests are to notice. */
export interface Suspect {
  readonly number: number;
  /** Tests to run. */
  readonly chosen: readonly Meeting[];
  /** All tests that meet the change, by file. */
  readonly met: ReadonlyMap<string, Meeting>;
}

/** Seconds of tests in one batch. */
const LONGEST = 60;

/** Changes that can be tried at once, because no test that runs meets two of them: each failure has one to blame. */
export function batchesOf(suspects: readonly Suspect[]): readonly (readonly Suspect[])[] {
  const batches: Suspect[][] = [];
  for (const suspect of suspects) {
    const batch = batches.find(
      (one) =>
        secondsOf(one) + secondsOf([suspect]) <= LONGEST &&
        one.every((other) => !disturbs(suspect, other) && !disturbs(other, suspect)),
    );
    if (batch === undefined) batches.push([suspect]);
    else batch.push(suspect);
  }
  return batches;
}

/** Whether a test that runs for the one meets the other. */
function disturbs(one: Suspect, other: Suspect): boolean {
  return one.chosen.some(({ file, tests }) => {
    const names = other.met.get(file)?.names;
    return names !== undefined && tests.some((name) => names.has(name));
  });
}

function secondsOf(suspects: readonly Suspect[]): number {
  return suspects.flatMap(({ chosen }) => chosen).reduce((sum, { duration }) => sum + duration, 0);
}

export function orderOf(suspects: readonly Suspect[]): Order {
  const chosen = suspects.flatMap((suspect) => suspect.chosen);
  return {
    files: [...new Set(chosen.map(({ file }) => file))],
    tests: [...new Set(chosen.flatMap(({ tests }) => tests))],
  };
}

/** Changes that the failed test meets; of a file that failed outside of its tests, all that it meets. */
export function blamed(suspects: readonly Suspect[], { file, test }: Failed): readonly Suspect[] {
  return suspects.filter(({ met }) => {
    const names = met.get(file)?.names;
    return names !== undefined && (test === undefined || names.has(test));
  });
}
