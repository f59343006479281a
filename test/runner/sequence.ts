import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Random order of files, by the seed that the run prints: slow files come first, so that no worker is left alone with
 * one at the end. `--sequence.seed N` repeats an order.
 */
export class Sequence extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const named = files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
    const shuffled = shuffle(named, seed);
    return Promise.resolve([...shuffled.filter(isSlow), ...shuffled.filter((file) => !isSlow(file))]);
  }
}

function isSlow({ moduleId }: TestSpecification): boolean {
  return moduleId.endsWith('.slow.test.ts');
}

/** The same order for the same seed on every machine (mulberry32). */
function shuffle<T>(items: readonly T[], seed: number): readonly T[] {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return items
    .map((item) => [next(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}
