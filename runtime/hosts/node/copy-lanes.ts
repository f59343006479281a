import { makeCopier, type CopierOptions, type NativeCopy, type NativeOutcome } from './copier.ts';
import type { Lanes } from './lanes.ts';
import { Threads } from './threads.ts';
import { whenNeeded } from './when-needed.ts';

/** Texts and numbers of many copies in a few pieces. */
interface Batch {
  readonly from: string;
  readonly to: string;
  /** Size, time and mode of each. */
  readonly facts: Float64Array;
  readonly options: CopierOptions;
  readonly flag: Int32Array;
}

/** Copies up to `done` were made, but for those that are named. */
interface BatchOutcome {
  readonly done: number;
  readonly others: readonly (readonly [index: number, outcome: NativeOutcome])[];
}

/** How many copies are made. */
export function copyLanes(options: CopierOptions): Lanes<NativeCopy, Batch, BatchOutcome, NativeOutcome> {
  return { work: makeCopier(whenNeeded.fs, options), pack: (copies, flag) => batchOf(copies, options, flag), unpack: outcomesOf, threads, staysHere: isOfBytes };
}

/** Whether a path is bytes to the system: messages carry text. */
function isOfBytes({ from, to }: NativeCopy): boolean {
  return typeof from !== 'string' || typeof to !== 'string';
}

function batchOf(copies: readonly NativeCopy[], options: CopierOptions, flag: Int32Array): Batch {
  const facts = new Float64Array(copies.length * 3);
  for (const [index, { size, mtimeMs, mode }] of copies.entries()) facts.set([size, mtimeMs, mode], index * 3);
  const joined = (end: 'from' | 'to'): string => copies.map((copy) => copy[end]).join('\0');
  return { from: joined('from'), to: joined('to'), facts, options, flag };
}

function outcomesOf({ done, others }: BatchOutcome): readonly NativeOutcome[] {
  const outcomes = Array.from({ length: done }, (): NativeOutcome => 'copied');
  for (const [index, outcome] of others) outcomes[index] = outcome;
  return outcomes;
}

const threads = new Threads<Batch, BatchOutcome>(() => `
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const fs = process.getBuiltinModule('node:fs');
  const makeCopier = ${makeCopier.toString()};
  parentPort.on('message', ({ from, to, facts, options, flag }) => {
    const copier = makeCopier(fs, options);
    const [sources, targets] = [from.split('\\0'), to.split('\\0')];
    const others = [];
    let done = 0;
    for (; done < targets.length && Atomics.load(flag, 0) === 0; done += 1) {
      const [size, mtimeMs, mode] = facts.subarray(done * 3, done * 3 + 3);
      const steps = copier({ from: sources[done], to: targets[done], size, mtimeMs, mode });
      let step = steps.next();
      while (!step.done && Atomics.load(flag, 0) === 0) step = steps.next();
      if (!step.done) {
        // Takes the temporary file away.
        steps.return('changed');
        break;
      }
      if (step.value !== 'copied') others.push([done, step.value]);
    }
    parentPort.postMessage({ done, others });
  });
`);
