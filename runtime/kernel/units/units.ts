import type { Unit } from '#schemas/types/plan.ts';

import type { UnitOutcome } from '../events.ts';
import * as because from '../reasons.ts';
import type { RunState } from '../run-state.ts';
import type { Scope } from '../scope.ts';
import { runUnit, skipUnit } from './unit.ts';

/**
 * Runs the units of a plan, as many at once as there are workers, each as soon as those before it have ended, else in
 * order.
 */
export function runUnits(state: RunState): Promise<readonly UnitOutcome[]> {
  return import.meta.withoutMoreUnits
    ? runOnly(state)
    : new Promise((resolve, reject) => new UnitsRun(state, resolve, reject).advance());
}

/** Runs the one unit of a plan that has no other, once. */
async function runOnly(state: RunState): Promise<readonly UnitOutcome[]> {
  const [unit] = state.program.plan.units;
  if (!unit) return [];
  if (state.stopped !== undefined) return [skipUnit(state, unit, because.stopped(state.stopped))];
  return [(await runUnit(state, unit, [], 0)).outcome];
}

interface Turn {
  readonly unit: Unit;
  readonly repeat: number;
  /** Turns of the units that it depends on: all must have ended. */
  readonly before: readonly Turn[];
  readonly earlier: Turn | undefined;
  begun: boolean;
  outcome?: UnitOutcome;
  scope?: Scope;
}

class UnitsRun {
  readonly #state: RunState;
  readonly #turns: readonly Turn[];
  readonly #resolve: (outcomes: readonly UnitOutcome[]) => void;
  readonly #reject: (error: unknown) => void;
  #running = 0;
  /** Locks of units that run. */
  readonly #locked = new Set<string>();
  #bug: { readonly error: unknown } | undefined;

  constructor(state: RunState, resolve: (outcomes: readonly UnitOutcome[]) => void, reject: (error: unknown) => void) {
    this.#state = state;
    this.#turns = turnsOf(state);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  advance(): void {
    // The others come to their teardown first.
    if (this.#bug) return this.#running === 0 ? this.#reject(this.#bug.error) : undefined;
    for (const turn of this.#turns) if (!turn.begun && isReady(turn)) this.#begin(turn);
    if (this.#turns.every((turn) => turn.outcome))
      this.#resolve(this.#turns.map((turn) => turn.outcome).filter((outcome) => outcome !== undefined));
  }

  #begin(turn: Turn): void {
    const reason = this.#whyNot(turn);
    if (reason !== undefined) {
      turn.begun = true;
      turn.outcome = skipUnit(this.#state, turn.unit, reason);
      return;
    }
    // One that would wait for another of this run takes no place.
    const { locks = [] } = turn.unit;
    if (locks.some((lock) => this.#locked.has(lock))) return;
    const { pool, options } = this.#state;
    if (this.#running >= (options.workers ?? 1)) return;
    if (!pool.tryTake()) return pool.whenFree(() => this.advance());
    turn.begun = true;
    this.#running++;
    for (const lock of locks) this.#locked.add(lock);
    void this.#run(turn);
  }

  #whyNot({ before }: Turn): string | undefined {
    const bad = before.map(({ outcome }) => outcome).find((outcome) => outcome && outcome.status !== 'passed');
    if (this.#state.stopped !== undefined) return because.stopped(this.#state.stopped);
    if (bad) return because.file(bad.file, bad.status === 'failed' ? 'failed' : 'skipped');
    return this.#state.halted ? because.failFast : undefined;
  }

  async #run(turn: Turn): Promise<void> {
    try {
      const run = this.#state.runUnit ?? runUnit;
      const ended = await run(
        this.#state,
        turn.unit,
        turn.before.map(({ scope }) => scope).filter((scope) => scope !== undefined),
        turn.repeat,
      );
      turn.scope = ended.scope;
      turn.outcome = ended.outcome;
    } catch (error) {
      this.#bug ??= { error };
      this.#state.stop('a bug of svc');
    } finally {
      this.#running--;
      for (const lock of turn.unit.locks ?? []) this.#locked.delete(lock);
      this.#state.pool.give();
    }
    this.advance();
  }
}

function isReady({ before, earlier }: Turn): boolean {
  return before.every((turn) => turn.outcome) && (earlier === undefined || earlier.outcome !== undefined);
}

function turnsOf({ program, options }: RunState): readonly Turn[] {
  const latest = new Map<string, Turn>();
  const turns: Turn[] = [];
  for (let repeat = 0; repeat < (options.repeat ?? 1); repeat++) {
    for (const unit of program.plan.units) {
      const before = unit.after.map((source) => latest.get(source)).filter((turn) => turn !== undefined);
      const turn: Turn = { unit, repeat, before, earlier: latest.get(unit.source), begun: false };
      turns.push(turn);
      latest.set(unit.source, turn);
    }
  }
  return turns;
}
