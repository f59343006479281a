import type { FileCopy } from '#schemas/types/host.ts';

import { makeCopier, type CopierOptions, type NativeCopy, type NativeOutcome } from './copier.ts';
import { giveWay } from './give-way.ts';
import { toNative } from './paths.ts';
import { Threads } from './threads.ts';
import { whenNeeded } from './when-needed.ts';

/** Fewer copies are made sooner than a thread starts. */
const MANY = 1000;
/** The fewest copies that are worth a message to a thread. */
const LEAST = 100;

type Tell = (index: number, outcome: NativeOutcome) => void;

/**
 * Makes copies by calls that block: here, in turns with everything else, and where there are many, beside it in threads too, as far as
 * the machine has room. Rejects when the signal is aborted; no lane is at work any more then, and none has left anything.
 */
export async function copyInLanes(copies: readonly FileCopy[], options: CopierOptions, tell: Tell, signal: AbortSignal | undefined): Promise<void> {
  const work = new SharedWork(copies, options, tell);
  const beside = copies.length < MANY ? 0 : whenNeeded.os.availableParallelism() - 1;
  const lanes = Promise.allSettled(Array.from({ length: Math.min(beside, 3) }, () => inThread(work)));
  const stop = (): void => work.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await hereInTurns(work, signal);
  } finally {
    for (const lane of await lanes) if (lane.status === 'rejected') work.failure ??= lane.reason as Error;
    signal?.removeEventListener('abort', stop);
  }
  signal?.throwIfAborted();
  if (work.failure !== undefined) throw work.failure;
}

/** Whether a path is bytes to the system: such copies do not go to threads, and stand before all others. */
export function isOfBytes({ from, to }: FileCopy): boolean {
  return typeof toNative(from) !== 'string' || typeof toNative(to) !== 'string';
}

function native({ from, to, seen }: FileCopy): NativeCopy {
  return { from: toNative(from), to: toNative(to), size: seen.size, mtimeMs: seen.mtime_ms, mode: seen.mode };
}

/** Copies that lanes take from: a lane in a thread many at once, fewer towards the end, so that all end together. */
class SharedWork {
  readonly copies: readonly FileCopy[];
  readonly options: CopierOptions;
  readonly tell: Tell;
  /** Not 0: threads stop after the copy that they are at. */
  readonly flag = new Int32Array(new SharedArrayBuffer(4));
  /** What ended a thread. */
  failure: Error | undefined;
  #next = 0;
  #end: number;

  constructor(copies: readonly FileCopy[], options: CopierOptions, tell: Tell) {
    this.copies = copies;
    this.options = options;
    this.tell = tell;
    this.#end = copies.length;
  }

  /** The index of the next copy; undefined: there is none. */
  take(): number | undefined {
    return this.#next < this.#end ? this.#next++ : undefined;
  }

  /** Some from the end; undefined: not enough is left. */
  takeMany(): readonly [from: number, to: number] | undefined {
    const count = Math.floor((this.#end - this.#next) / 3);
    if (count < LEAST || this.#hasBytes(this.#end - count)) return undefined;
    this.#end -= count;
    return [this.#end, this.#end + count];
  }

  #hasBytes(index: number): boolean {
    const copy = this.copies[index];
    return copy !== undefined && isOfBytes(copy);
  }

  stop(): void {
    Atomics.store(this.flag, 0, 1);
    this.#next = this.#end;
  }
}

async function hereInTurns(work: SharedWork, signal: AbortSignal | undefined): Promise<void> {
  const copier = makeCopier(whenNeeded.fs, work.options);
  for (let index = work.take(); index !== undefined; index = work.take()) {
    if (index % 8 === 0) await giveWay(signal);
    const steps = copier(native(work.copies[index] as FileCopy));
    try {
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) await giveWay(signal);
      work.tell(index, step.value);
    } finally {
      // Takes the temporary file away where the signal came in the middle.
      steps.return('changed');
    }
  }
}

/** Texts and numbers of many copies in a few pieces: that is the cheapest to send. */
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

async function inThread(work: SharedWork): Promise<void> {
  for (let range = work.takeMany(); range !== undefined; range = work.takeMany()) {
    const [from, to] = range;
    const { done, others } = await threads.run(batchOf(work, work.copies.slice(from, to)));
    const outcomes = new Map(others);
    for (let index = 0; index < done; index += 1) work.tell(from + index, outcomes.get(index) ?? 'copied');
  }
}

function batchOf({ options, flag }: SharedWork, copies: readonly FileCopy[]): Batch {
  const facts = Float64Array.from(copies.flatMap(({ seen }) => [seen.size, seen.mtime_ms, seen.mode]));
  const joined = (end: 'from' | 'to'): string => copies.map((copy) => copy[end]).join('\0');
  return { from: joined('from'), to: joined('to'), facts, options, flag };
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
