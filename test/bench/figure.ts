import { measure, type Run, type Sample } from './measure.ts';

/** One line of the table: what is measured, beside what, and what we want. */
export interface Figure {
  readonly name: string;
  /** Meaning of the floor, in words. */
  readonly beside: string;
  /** The ratio that we want. */
  readonly aim: number;
  /** Also compare peak memory, with this aim. */
  readonly memoryAim?: number;
  /** Pairs of runs (11); one more before them is not counted. */
  readonly runs?: number;
  /** Makes inputs; yields the two processes and how to clean up. */
  prepare(folder: string): Promise<Pair> | Pair;
}

export interface Pair {
  readonly subject: Run;
  readonly floor: Run;
  /** Ends what `prepare` started. */
  readonly close?: () => void | Promise<void>;
}

/** A figure that is no ratio of processes, such as a size. */
export interface Amount {
  readonly name: string;
  readonly unit: string;
  /** The most (`at-most`) or least that we want. */
  readonly aim: number;
  readonly wanted: 'at-most' | 'at-least';
  amount(folder: string): Promise<number>;
}

export interface Result {
  readonly subject: Sample;
  readonly floor: Sample;
}

/**
 * Runs subject and floor in turns. Each value is the lower quartile of its runs: on a machine that others use, what
 * disturbs a run only ever makes it slower.
 */
export async function compare({ prepare, runs = 11 }: Figure, folder: string): Promise<Result> {
  const { subject, floor, close } = await prepare(folder);
  const samples: { subject: Sample; floor: Sample }[] = [];
  try {
    for (let round = 0; round <= runs; round += 1) {
      const pair = { floor: await measure(floor), subject: await measure(subject) };
      if (round > 0) samples.push(pair);
    }
  } finally {
    await close?.();
  }
  return { subject: typical(samples.map((pair) => pair.subject)), floor: typical(samples.map((pair) => pair.floor)) };
}

function typical(samples: readonly Sample[]): Sample {
  return {
    ms: lowerQuartile(samples.map(({ ms }) => ms)),
    cpu: lowerQuartile(samples.map(({ cpu }) => cpu)),
    memory: lowerQuartile(samples.map(({ memory }) => memory)),
  };
}

function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 4)] ?? Number.NaN;
}
