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
  /** The same two without the work that is measured: time that they take is no part of the figure. */
  readonly without?: { readonly subject: Run; readonly floor: Run };
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
  const { subject, floor, without, close } = await prepare(folder);
  const [samples, idle]: [Result[], Result[]] = [[], []];
  try {
    for (let round = 0; round <= runs; round += 1) {
      const pair = { floor: await measure(floor), subject: await measure(subject) };
      const rest = without && { floor: await measure(without.floor), subject: await measure(without.subject) };
      if (round > 0) samples.push(pair);
      if (round > 0 && rest) idle.push(rest);
    }
  } finally {
    await close?.();
  }
  return { subject: typicalOf('subject', samples, idle), floor: typicalOf('floor', samples, idle) };
}

function typicalOf(side: keyof Result, samples: readonly Result[], idle: readonly Result[]): Sample {
  const whole = typical(samples.map((pair) => pair[side]));
  if (idle.length === 0) return whole;
  const rest = typical(idle.map((pair) => pair[side]));
  return { ms: whole.ms - rest.ms, cpu: whole.cpu - rest.cpu, memory: whole.memory };
}

function typical(samples: readonly Sample[]): Sample {
  return {
    ms: lowerQuartile(samples.map(({ ms }) => ms)),
    cpu: lowerQuartile(samples.map(({ cpu }) => cpu)),
    memory: lowerQuartile(samples.map(({ memory }) => memory)),
  };
}

export function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 4)] ?? Number.NaN;
}
