import { measure, type Run, type Sample } from './measure.ts';

/** One line of the table: what is measured, beside what, and what we want. */
export interface Figure {
  readonly name: string;
  /** What the floor is, in words. */
  readonly beside: string;
  /** The ratio that we want. */
  readonly aim: number;
  /** Also compare peak memory, with this aim. */
  readonly memoryAim?: number;
  /** Pairs of runs (11); the first one is not counted. */
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

export interface Result {
  readonly name: string;
  readonly beside: string;
  readonly subject: number;
  readonly floor: number;
  readonly ratio: number;
  readonly aim: number;
  readonly unit: 'ms' | 'MiB';
}

/** Times subject and floor in turns and compares medians. */
export async function compare(figure: Figure, folder: string): Promise<readonly Result[]> {
  const { subject, floor, close } = await figure.prepare(folder);
  const samples: { subject: Sample; floor: Sample }[] = [];
  try {
    for (let round = 0; round <= (figure.runs ?? 11); round += 1) {
      const pair = { floor: await measure(floor), subject: await measure(subject) };
      if (round > 0) samples.push(pair);
    }
  } finally {
    await close?.();
  }
  const line = (key: keyof Sample, unit: Result['unit'], aim: number): Result => {
    const ours = median(samples.map((sample) => sample.subject[key]));
    const theirs = median(samples.map((sample) => sample.floor[key]));
    return { name: figure.name, beside: figure.beside, subject: ours, floor: theirs, ratio: ours / theirs, aim, unit };
  };
  const results = [line('ms', 'ms', figure.aim)];
  if (figure.memoryAim !== undefined) results.push(line('memory', 'MiB', figure.memoryAim));
  return results;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
