import type { LoadPlan, LoadResult, LoadTask } from '#schemas/types/load.ts';

import { arrivals, lengthOf, levelAt } from './schedule.ts';
import { Sender } from './sender.ts';
import { nextTask } from './tasks.ts';
import { Totals } from './totals.ts';

/** Hears how a run goes, about once a second and at its end. */
export type OnProgress = (result: {
  readonly second: number;
  readonly requests: number;
  readonly failures: number;
}) => void;

/** Runs a plan to its end, or until the signal is aborted: then what is there so far is the result. */
export async function runLoad(plan: LoadPlan, signal: AbortSignal, onProgress: OnProgress): Promise<LoadResult> {
  const startedAt = new Date().toISOString();
  const run = new LoadRun(plan, signal);
  const ticker = setInterval(() => onProgress(run.progress()), 1000);
  try {
    await (plan.model.kind === 'closed' ? run.closed(plan.model) : run.open(plan.model));
    onProgress(run.progress());
    return run.totals.result(startedAt, performance.now());
  } finally {
    clearInterval(ticker);
    await run.sender.close();
  }
}

/** Time (ms) for answers that are still to come when a run is stopped: whoever stops it waits for its summary. */
const STOPPED_MS = 500;

class LoadRun {
  readonly sender: Sender;
  readonly totals: Totals;
  readonly #plan: LoadPlan;
  readonly #next: () => LoadTask;
  readonly #random: () => number;
  readonly #signal: AbortSignal;
  readonly #begun = performance.now();
  #requests = 0;
  #failures = 0;
  #underWay = 0;
  #users = 0;
  #idle: (() => void) | undefined;
  /** Nothing is sent any more: what still waited for its answer was cut. */
  #isCut = false;

  constructor(plan: LoadPlan, signal: AbortSignal) {
    this.#plan = plan;
    this.#signal = signal;
    this.#random = seeded(plan.seed);
    this.#next = nextTask(plan, this.#random);
    this.sender = new Sender(plan);
    this.totals = new Totals(this.#begun);
  }

  progress(): { second: number; requests: number; failures: number } {
    this.totals.active(performance.now(), this.#plan.model.kind === 'closed' ? this.#users : this.#underWay);
    return {
      second: Math.round((performance.now() - this.#begun) / 1000),
      requests: this.#requests,
      failures: this.#failures,
    };
  }

  /** Users come and go by the stages; each sends, waits for its answer, pauses, and sends again. */
  async closed({ stages }: Extract<LoadPlan['model'], { kind: 'closed' }>): Promise<void> {
    const levels = stages.map(({ users, seconds }) => ({ level: users, seconds }));
    const length = lengthOf({ kind: 'closed', stages });
    let wanted = 0;
    const user = (index: number): void => {
      if (this.#isOver(length) || index >= wanted) {
        this.#users--;
        this.#settle();
        return;
      }
      const due = performance.now();
      this.#send(this.#next(), due, (isAnswered) => {
        const pause = this.#pause();
        if (pause > 0) setTimeout(() => user(index), pause);
        // The connection sends it when others had their turn.
        else if (isAnswered) user(index);
        // Not at once: a chain of calls without an end would keep answers of others from being read.
        else setImmediate(() => user(index));
      });
    };
    await this.#each(length, 10, () => {
      // A ramp is over when its last user is there: rounding up lets the first begin at once.
      wanted = Math.ceil(levelAt(levels, this.#seconds()) - 1e-9);
      for (let index = this.#users; index < wanted && !this.#isOver(length); index = this.#users) {
        this.#users++;
        user(index);
      }
    });
    await this.#ended();
  }

  /**
   * Requests begin when they are due, whatever became of those before; beyond the most at once they wait, and their
   * time runs.
   */
  async open({ stages, most }: Extract<LoadPlan['model'], { kind: 'open' }>): Promise<void> {
    const length = lengthOf({ kind: 'open', stages, most });
    const times = arrivals(stages);
    let next = times.next();
    const waiting: number[] = [];
    let first = 0;
    const begin = (): void => {
      while (this.#underWay < most && first < waiting.length && !this.#isCut) {
        const due = waiting[first++] ?? 0;
        this.#send(this.#next(), due, begin);
      }
      if (first <= 1024 || first * 2 <= waiting.length) return;
      waiting.splice(0, first);
      first = 0;
    };
    await this.#each(length, 1, () => {
      for (; !next.done && next.value <= this.#seconds(); next = times.next())
        waiting.push(this.#begun + next.value * 1000);
      begin();
    });
    // Requests that became due after the last look.
    for (; !next.done && !this.#signal.aborted; next = times.next()) waiting.push(this.#begun + next.value * 1000);
    begin();
    await this.#ended();
    // A request that never began counts too: it waited to the end.
    for (const due of waiting.slice(first))
      this.#count(this.#next(), { due, sent: performance.now(), outcome: { bytes: 0, error: 'never begun' } });
  }

  /** Looks what is due, so many milliseconds apart, until the time is over. */
  async #each(length: number, apartMs: number, look: () => void): Promise<void> {
    await new Promise<void>((resolve) => {
      const again = (): void => {
        if (this.#isOver(length)) resolve();
        else {
          look();
          setTimeout(again, apartMs);
        }
      };
      again();
    });
  }

  #send(task: LoadTask, due: number, then: (isAnswered: boolean) => void): void {
    const sent = performance.now();
    this.#underWay++;
    this.sender.send(task, (outcome) => {
      this.#underWay--;
      // Cut because the run was stopped, it says nothing about the server.
      if (!this.#isCut || !this.#signal.aborted) this.#count(task, { due, sent, outcome });
      then(outcome.error === undefined);
      this.#settle();
    });
  }

  #count(
    task: LoadTask,
    {
      due,
      sent,
      outcome,
    }: {
      readonly due: number;
      readonly sent: number;
      readonly outcome: { readonly bytes: number; readonly status?: number; readonly error?: string };
    },
  ): void {
    this.#requests++;
    const { status } = outcome;
    const isFine =
      status !== undefined && (task.expect_status === undefined ? status < 400 : status === task.expect_status);
    if (!isFine) this.#failures++;
    this.totals.add({ task, due, sent, ended: performance.now(), ...outcome });
  }

  #pause(): number {
    const [least, most] = this.#plan.think_ms ?? [0, 0];
    return least + (most - least) * this.#random();
  }

  /**
   * Resolves when nothing is under way any more. When the time for that is over, what still is has failed: a server
   * that hangs must not pass for one that was asked less. In a run that is stopped the time is short.
   */
  async #ended(): Promise<void> {
    if (this.#underWay === 0) return;
    await new Promise<void>((resolve) => {
      const cut = (): void => {
        this.#isCut = true;
        this.sender.cut('never answered');
        resolve();
      };
      const timers = [setTimeout(cut, this.#plan.grace_ms)];
      const stopped = (): void => void timers.push(setTimeout(cut, STOPPED_MS));
      if (this.#signal.aborted) stopped();
      else this.#signal.addEventListener('abort', stopped, { once: true });
      this.#idle = () => {
        for (const timer of timers) clearTimeout(timer);
        this.#signal.removeEventListener('abort', stopped);
        resolve();
      };
    });
  }

  #settle(): void {
    if (this.#underWay === 0) this.#idle?.();
  }

  #seconds(): number {
    return (performance.now() - this.#begun) / 1000;
  }

  #isOver(length: number): boolean {
    return this.#signal.aborted || this.#seconds() >= length;
  }
}

/** Numbers from 0 to below 1 that repeat with the seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
