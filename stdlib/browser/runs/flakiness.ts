import type { Ports } from '#runtime/kernel/ports.ts';

/** The default of `window`. */
export const USUAL_WINDOW = 50;

type Runs = Awaited<ReturnType<Ports['ledger']['runs']>>;

export interface Counts {
  readonly runs: number;
  readonly passes: number;
  readonly fails: number;
  readonly flaky: boolean;
}

export interface FlakinessRule {
  /** Fewest runs that can show a file flaky. */
  readonly minRuns: number;
  /** So many of a file's latest runs count, of the usual number never fewer than `minRuns`; null: all. */
  readonly window: number | null;
}

/** Each file with its latest outcome, in the order in which files first appear. Latest is what stands last. */
export function latestOutcomes(runs: Runs): ReadonlyMap<string, boolean> {
  return new Map(runs.map(({ path, passed }) => [path, passed]));
}

/**
 * Counts of each file over its latest runs, in the order in which files first appear. Flaky is what has both passed and
 * failed in enough of them.
 */
export function statistics(runs: Runs, { minRuns, window }: FlakinessRule): ReadonlyMap<string, Counts> {
  const outcomes = new Map<string, boolean[]>();
  for (const { path, passed } of runs) {
    const known = outcomes.get(path);
    if (known) known.push(passed);
    else outcomes.set(path, [passed]);
  }
  // Fewer than asked for could never show a file flaky.
  const latest = window === USUAL_WINDOW ? Math.max(window, minRuns) : (window ?? Infinity);
  return new Map([...outcomes].map(([path, all]) => [path, countsOf(all.slice(-latest), minRuns)]));
}

export function failRate({ runs, fails }: Counts): number {
  return fails / runs;
}

function countsOf(outcomes: readonly boolean[], minRuns: number): Counts {
  const passes = outcomes.filter(Boolean).length;
  const fails = outcomes.length - passes;
  return { runs: outcomes.length, passes, fails, flaky: outcomes.length >= minRuns && passes > 0 && fails > 0 };
}
