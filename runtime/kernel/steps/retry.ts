import * as fail from '#schemas/generated/failures.ts';
import type { CommandFacts } from '#schemas/types/command.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Node, Retry } from '#schemas/types/plan.ts';

import type { AttemptView, CommandView, Frame } from '../contract.ts';

/** A wait that was doubled so often is beyond every cap; without an end it would be no number in time. */
const MOST_DOUBLINGS = 64;

/** Outcome of a try, and how long it took (ms). */
interface Tried {
  readonly failure: Failure;
  readonly value: unknown;
  readonly ms: number;
}

/**
 * Decides whether a step that failed is tried again: by its own `retry`, by `--retries`, or by the command around its
 * list.
 */
export class Tries {
  readonly #node: Node;
  readonly #frame: Frame;
  readonly #retry: Retry | undefined;
  /** Monotonic time (ms) at which the tries end. */
  readonly #deadline: number;
  #last: Tried | undefined;
  /** Monotonic time (ms) at which the try at work began. */
  #began = 0;
  #over: Failure | undefined;

  constructor(node: Node, frame: Frame, retry: Retry | undefined) {
    this.#node = node;
    this.#frame = frame;
    this.#retry = retry;
    this.#deadline = retry?.max_s === undefined ? Infinity : frame.world.clock.monotonic() + retry.max_s * 1000;
  }

  /** Whether the step says so itself, or `--retries` does; else the command around its list decides. */
  get areOwn(): boolean {
    return this.#retry !== undefined;
  }

  /** Whether it is tried until what it waits for is there. */
  get waits(): boolean {
    return this.#retry?.max_s !== undefined;
  }

  /** Milliseconds that are left for all tries, of which one begins. */
  begin(): number {
    this.#began = this.#frame.world.clock.monotonic();
    return this.#deadline === Infinity ? Infinity : Math.max(this.#deadline - this.#began, 0);
  }

  /** The failure of a step whose time for all tries is over: the same at every call. */
  timeIsOver(): Failure {
    const { failure, value } = this.#last ?? {};
    return (this.#over ??= fail.attemptsTimedOut({
      seconds: this.#retry?.max_s ?? 0,
      cause: failure,
      expected: failure?.options.expected,
      actual: failure?.options.actual,
      result: failure?.options.result ?? value,
      expectations: failure?.options.expectations,
    }));
  }

  /** Milliseconds until the next try; undefined: there is none. */
  wait(
    attempt: AttemptView & { readonly number: number; readonly use: CommandView },
    failure: Failure,
  ): number | undefined {
    // A closed gate stays closed, however often it is asked.
    if (failure === this.#over || failure.facts.name === 'gate-closed') return undefined;
    const { world, retry: guards } = this.#frame;
    if (this.#retry)
      return repeats(this.#retry, attempt.number, failure)
        ? waitMs(this.#retry, attempt.number, world.random.number())
        : undefined;
    // The actions of this step's list cannot be undone: its failures are on record.
    if (attempt.nestedFailed > 0) return undefined;
    if (guards || import.meta.withoutHooks) return guards?.policy.wait(failure);
    const { name: command, facts } = attempt.use;
    return this.#frame.unit.hooks?.again?.(failure, attempt.number, { command, facts });
  }

  /** Keeps what a try came to, or the one before it that tells more; false where the next one would begin too late. */
  goesOn(failure: Failure, value: unknown, wait: number): boolean {
    const now = this.#frame.world.clock.monotonic();
    const goes = now + wait < this.#deadline;
    const tried = { failure, value, ms: now - this.#began };
    if (goes || !this.#last || !tellsMore(this.#last, tried, this.#deadline - this.#began)) this.#last = tried;
    return goes;
  }

  /** Rejects where the step is cancelled meanwhile, or who guards its list refuses. */
  async pause(wait: number): Promise<void> {
    const { world, cancel, retry: guards } = this.#frame;
    await world.clock.sleep(wait, cancel.signal);
    const index = this.#retry ? -1 : (guards?.nodes.indexOf(this.#node) ?? -1);
    if (index >= 0) await guards?.policy.before?.(index);
  }
}

/**
 * Whether a try tells more than the last one, which met the same or ran out of time: that one had less time (`had`, in
 * ms) than the other took, or none to say what is there instead.
 */
function tellsMore(before: Tried, last: Tried, had: number): boolean {
  const isSame = before.failure.facts.code === last.failure.facts.code;
  if (had < before.ms) return isSame || last.failure.facts.kinds.includes('timeout');
  return isSame && before.failure.options.actual !== undefined && last.failure.options.actual === undefined;
}

/** The tries of a step; undefined where nobody asks for more than one. */
export function triesOf(node: Node, frame: Frame, facts: CommandFacts): Tries | undefined {
  const retry = frame.retry ? node.retry : retryOf(node, facts, frame.unit.run.options.retries ?? 0);
  const hooked = !import.meta.withoutHooks && frame.unit.hooks?.again !== undefined;
  return retry || frame.retry || hooked ? new Tries(node, frame, retry) : undefined;
}

/** Repetition of a step: its own `retry`, else that of `--retries`; undefined: once. */
function retryOf(node: Node, facts: CommandFacts, retries: number): Retry | undefined {
  if (node.retry) return node.retry;
  return retries > 0 && facts.repeat !== 'once' ? { max_attempts: retries + 1, interval_s: 1 } : undefined;
}

/** Whether a failure after this many attempts is followed by another one. */
function repeats(retry: Retry, attempts: number, failure: Failure): boolean {
  const limit = retry.max_attempts ?? (retry.max_s === undefined ? 3 : Infinity);
  if (attempts >= limit) return false;
  return (
    retry.on === undefined ||
    retry.on.some((word) => word === failure.facts.class || failure.facts.kinds.includes(word))
  );
}

/**
 * Milliseconds before the next attempt, after this many. Chance takes away up to a quarter, so that many who failed
 * together do not come back together; it never adds.
 */
function waitMs(retry: Retry, attempts: number, chance: number): number {
  const seconds =
    retry.interval_s ??
    Math.min((retry.backoff_base_s ?? 1) * 2 ** Math.min(attempts - 1, MOST_DOUBLINGS), retry.backoff_cap_s ?? 8);
  return seconds * 1000 * (1 - chance / 4);
}
