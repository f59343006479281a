import type { FileCopy } from '#schemas/types/host.ts';

import { makeCopier, type CopierOptions, type NativeCopy, type NativeOutcome } from './copier.ts';
import type { Workload } from '../threads/workload.ts';
import { toNative } from '../paths.ts';
import { heldPaths } from '../write/held.ts';
import { Threads } from '../threads/threads.ts';
import { whenNeeded } from '../when-needed.ts';

/** Texts and numbers of many copies in a few pieces. */
interface Batch {
  readonly from: string;
  readonly to: string;
  /** Paths with links resolved; empty texts where they are not checked. */
  readonly realFrom: string;
  readonly realTo: string;
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

/** Ways of making copies: here, and in threads. */
export function copyWorkload(options: CopierOptions): Workload<FileCopy, Batch, BatchOutcome, NativeOutcome> {
  const copier = makeCopier(whenNeeded.fs, options);
  return {
    work: (copy) => copier(native(copy)),
    pack: (copies, flag) => batchOf(copies, options, flag),
    unpack: outcomesOf,
    threads,
    staysHere: isOfBytes,
  };
}

function native(copy: FileCopy): NativeCopy {
  const { from, to, seen } = copy;
  // A path that is no text is compared with nothing.
  const real = isOfBytes(copy) ? noPlace : realOf(copy);
  return {
    from: toNative(from),
    to: toNative(to),
    size: seen.size,
    mtimeMs: seen.mtime_ms,
    mode: seen.mode,
    realFrom: real.from,
    realTo: real.to,
  };
}

const noPlace = { from: '', to: '' };

/** Real paths to hold a copy to, where the system can tell those of open files. */
function realOf({ real }: FileCopy): NonNullable<FileCopy['real']> {
  return real && heldPaths() ? real : noPlace;
}

/** Whether a path is bytes to the system: messages carry text. */
function isOfBytes({ from, to }: FileCopy): boolean {
  return typeof toNative(from) !== 'string' || typeof toNative(to) !== 'string';
}

function batchOf(copies: readonly FileCopy[], options: CopierOptions, flag: Int32Array): Batch {
  const facts = new Float64Array(copies.length * 3);
  for (const [index, { seen }] of copies.entries()) facts.set([seen.size, seen.mtime_ms, seen.mode], index * 3);
  const joined = (end: 'from' | 'to'): string => copies.map((copy) => copy[end]).join('\0');
  const real = copies.map(realOf);
  return {
    from: joined('from'),
    to: joined('to'),
    realFrom: real.map(({ from }) => from).join('\0'),
    realTo: real.map(({ to }) => to).join('\0'),
    facts,
    options,
    flag,
  };
}

function outcomesOf({ done, others }: BatchOutcome): readonly NativeOutcome[] {
  const outcomes = Array.from({ length: done }, (): NativeOutcome => 'copied');
  for (const [index, outcome] of others) outcomes[index] = outcome;
  return outcomes;
}

const threads = new Threads<Batch, BatchOutcome>(
  () => `
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const fs = process.getBuiltinModule('node:fs');
  const makeCopier = ${makeCopier.toString()};
  parentPort.on('message', ({ from, to, realFrom, realTo, facts, options, flag }) => {
    const copier = makeCopier(fs, options);
    const [sources, targets] = [from.split('\\0'), to.split('\\0')];
    const [realSources, realTargets] = [realFrom.split('\\0'), realTo.split('\\0')];
    const others = [];
    let done = 0;
    for (; done < targets.length && Atomics.load(flag, 0) === 0; done += 1) {
      const at = done * 3;
      const steps = copier({
        from: sources[done],
        to: targets[done],
        size: facts[at],
        mtimeMs: facts[at + 1],
        mode: facts[at + 2],
        realFrom: realSources[done],
        realTo: realTargets[done],
      });
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
`,
);
