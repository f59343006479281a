import type { Clock } from '#schemas/types/host.ts';

import { whenAborted } from './when-aborted.ts';

/** Stage that a request waits for: `connect`, `answer` (the status line), `body`. */
export type Stage = 'connect' | 'answer' | 'body';

/** Thrown where the request's own time limit ran out; the caller says it in its own words. */
export class TimeLimit extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super('time limit');
    this.ms = ms;
  }
}

/** Part of an exchange that may have a time limit (ms) of its own. */
export type Phase = 'dns' | 'connect' | 'tls' | 'first_byte';
export type PhaseLimits = Readonly<Partial<Record<Phase, number>>>;

/** Thrown where a phase took longer than it may. */
export class PhaseLimit extends Error {
  readonly phase: Phase;
  readonly ms: number;

  constructor(phase: Phase, ms: number) {
    super('time limit of a phase');
    this.phase = phase;
    this.ms = ms;
  }
}

/** Something that a part of a request may wait under: it ends the wait when time is over. */
export interface Waits {
  readonly isOver: boolean;
  /** Calls back when it is over, at once where it is already. */
  wait(callback: (reason: unknown) => void): void;
  /** Whoever waited has what it waited for. */
  leave(): void;
}

/**
 * One end for everything that a request waits for: its time limit, or the signal of the step. A signal of its own would
 * cost as much as the rest of a small request; only one part of a request waits at a time.
 */
export class Deadline implements Waits {
  readonly #clock: Clock;
  readonly #phases: PhaseLimits | undefined;
  readonly #leaveOuter: () => void;
  readonly #endTimer: () => void;
  #reason: unknown;
  #isOver = false;
  #waiting: ((reason: unknown) => void) | undefined;
  #endPhase: (() => void) | undefined;

  constructor(clock: Clock, timeoutMs: number, outer: AbortSignal, phases?: PhaseLimits) {
    this.#clock = clock;
    this.#phases = phases;
    this.#endTimer = clock.timer(timeoutMs, () => this.#end(new TimeLimit(timeoutMs)));
    this.#leaveOuter = whenAborted(outer, (reason) => this.#end(reason));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  wait(callback: (reason: unknown) => void): void {
    if (this.#isOver) callback(this.#reason);
    else this.#waiting = callback;
  }

  leave(): void {
    this.#waiting = undefined;
    this.enter();
  }

  /** The phase before has ended; that of `phase` begins, where one is named. */
  enter(phase?: Phase): void {
    this.#endPhase?.();
    const ms = phase && this.#phases?.[phase];
    this.#endPhase = phase && ms !== undefined ? this.#limit(phase, ms) : undefined;
  }

  #limit(phase: Phase, ms: number): () => void {
    return this.#clock.timer(ms, () => this.#end(new PhaseLimit(phase, ms)));
  }

  close(): void {
    this.enter();
    this.#endTimer();
    this.#leaveOuter();
  }

  #end(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reason = reason;
    this.#waiting?.(reason);
  }
}
