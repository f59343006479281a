import { yieldTurn } from './yield-turn.ts';
import type { Threads } from './threads.ts';
import { whenNeeded } from '../when-needed.ts';

/** Fewer items are done sooner than a thread starts. */
const MANY = 1000;
/** The fewest items that are worth a message to a thread. */
const LEAST = 100;

/** One kind of work on many items by calls that block. */
export interface Workload<Item, Job, Reply, Outcome> {
  /** Does one item; yields where that takes long. Ended there, it leaves nothing behind. */
  readonly work: (item: Item) => Generator<void, Outcome>;
  /**
   * Many items as one message: texts and numbers in a few pieces are the cheapest to send. The thread stops after the
   * item that it is at where the flag is not 0.
   */
  readonly pack: (items: readonly Item[], flag: Int32Array) => Job;
  /** Outcomes of the first items of a message, of as many as were done. */
  readonly unpack: (reply: Reply, items: readonly Item[]) => readonly Outcome[];
  readonly threads: Threads<Job, Reply>;
  /** Whether a message cannot carry the item. */
  readonly staysHere: (item: Item) => boolean;
}

/**
 * Works through items: here, in turns with everything else, and where there are many, beside it in threads too, as far
 * as the machine has room. Outcomes stand in the order of the items; undefined where none came. Rejects when the signal
 * is aborted; no thread is at work any more then, and none has left anything.
 */
export async function workThrough<Item, Job, Reply, Outcome>(
  items: readonly Item[],
  workload: Workload<Item, Job, Reply, Outcome>,
  { signal, tell }: WorkOptions<Outcome> = {},
): Promise<readonly (Outcome | undefined)[]> {
  const work = new SharedWork<Item, Outcome>(items, workload.staysHere, tell);
  const beside = items.length < MANY ? 0 : whenNeeded.os.availableParallelism() - 1;
  const others = Promise.allSettled(Array.from({ length: Math.min(beside, 3) }, () => inThread(work, workload)));
  const stop = (): void => work.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await hereInTurns(work, workload, signal);
  } finally {
    for (const thread of await others) if (thread.status === 'rejected') work.failure ??= thread.reason as Error;
    signal?.removeEventListener('abort', stop);
  }
  signal?.throwIfAborted();
  if (work.failure !== undefined) throw work.failure;
  return work.outcomes;
}

interface WorkOptions<Outcome> {
  readonly signal?: AbortSignal | undefined;
  /** Hears of each outcome, by the place of its item. */
  readonly tell?: ((place: number, outcome: Outcome) => void) | undefined;
}

interface Taken<Item> {
  readonly index: number;
  readonly item: Item;
}

/**
 * Items still to do, taken here one by one and by a thread many at once, fewer towards the end, so that all end
 * together.
 */
class SharedWork<Item, Outcome> {
  readonly outcomes: (Outcome | undefined)[];
  /** Items, those that stay here first. */
  readonly #items: readonly Item[];
  readonly #staying: number;
  readonly #tell: WorkOptions<Outcome>['tell'];
  /** Index of each item in the given list; undefined: they stand as given. */
  readonly #places: readonly number[] | undefined;
  /** Flag for threads; not 0: they stop after the item that they are at. */
  readonly flag = new Int32Array(new SharedArrayBuffer(4));
  /** Error that ended a thread. */
  failure: Error | undefined;
  #next = 0;
  #end: number;

  constructor(items: readonly Item[], staysHere: (item: Item) => boolean, tell: WorkOptions<Outcome>['tell']) {
    this.#tell = tell;
    this.outcomes = Array.from(items, () => undefined);
    const staying = items.some(staysHere) ? [...items.keys()].filter((place) => staysHere(items[place] as Item)) : [];
    const others = staying.length === 0 ? [] : [...items.keys()].filter((place) => !staysHere(items[place] as Item));
    this.#staying = staying.length;
    this.#places = staying.length === 0 ? undefined : [...staying, ...others];
    this.#items = this.#places?.map((place) => items[place] as Item) ?? items;
    this.#end = items.length;
  }

  /** The next item, and its index; undefined: there is none. */
  take(): Taken<Item> | undefined {
    if (this.#next >= this.#end) return undefined;
    const index = this.#next++;
    return { index, item: this.#items[index] as Item };
  }

  /** Some from the end, and the index of their first; undefined: not enough is left. */
  takeMany(): { readonly from: number; readonly items: readonly Item[] } | undefined {
    const count = Math.floor((this.#end - this.#next) / 3);
    if (count < LEAST || this.#end - count < this.#staying) return undefined;
    this.#end -= count;
    return { from: this.#end, items: this.#items.slice(this.#end, this.#end + count) };
  }

  tell(index: number, outcome: Outcome): void {
    const place = this.#places?.[index] ?? index;
    this.outcomes[place] = outcome;
    this.#tell?.(place, outcome);
  }

  stop(): void {
    Atomics.store(this.flag, 0, 1);
    this.#next = this.#end;
  }
}

async function hereInTurns<Item, Job, Reply, Outcome>(
  work: SharedWork<Item, Outcome>,
  workload: Workload<Item, Job, Reply, Outcome>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let taken = work.take(); taken !== undefined; taken = work.take()) {
    if (taken.index % 8 === 0) await yieldTurn(signal);
    const steps = workload.work(taken.item);
    try {
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) await yieldTurn(signal);
      work.tell(taken.index, step.value);
    } finally {
      // Takes away what it was at where the signal came in the middle.
      steps.return(undefined as Outcome);
    }
  }
}

async function inThread<Item, Job, Reply, Outcome>(
  work: SharedWork<Item, Outcome>,
  { pack, unpack, threads }: Workload<Item, Job, Reply, Outcome>,
): Promise<void> {
  for (let taken = work.takeMany(); taken !== undefined; taken = work.takeMany()) {
    const { from, items } = taken;
    const outcomes = unpack(await threads.run(pack(items, work.flag)), items);
    for (const [index, outcome] of outcomes.entries()) work.tell(from + index, outcome);
  }
}
