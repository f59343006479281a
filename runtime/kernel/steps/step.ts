import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Node, Retry } from '#schemas/types/plan.ts';

import { asFailure } from '../as-failure.ts';
import { Attempt } from './attempt.ts';
import { Cancellation } from '../cancellation.ts';
import { showDry } from './dry-run.ts';
import type { CommandView, Frame, ReleasableHold, StepEnd } from '../contract.ts';
import { because } from '../reasons.ts';
import { repeats, retryOf, waitMs } from './retry.ts';
import { soughtAt } from './sought-at.ts';
import { StepReport } from './step-report.ts';
import { Filling } from '../values/surroundings.ts';

/** What one attempt came to: nothing wrong, or why it failed. */
interface Tried {
  readonly attempt: Attempt;
  readonly failure?: Failure;
}

/**
 * Runs one step to its record. Yields a promise only where something in it takes time. Never throws or rejects: a step whose
 * end cannot be told fails with that, so that what follows it, and teardown, still runs.
 */
export function runStep(node: Node, frame: Frame): StepEnd | Promise<StepEnd> {
  const reason = node.uses && lacking(node.uses, frame);
  const report = new StepReport(node, frame);
  if (reason !== undefined) return report.skipped(reason);
  report.started();
  return new StepRun(node, frame, report).run();
}

/** A step that does not run, for a reason that lies outside of it. */
export function skipStep(node: Node, frame: Frame, reason: string): StepEnd {
  return new StepReport(node, frame).skipped(reason);
}

function lacking(uses: readonly string[], frame: Frame): string | undefined {
  for (const name of uses) {
    const lack = frame.scope.lacks(name);
    if (lack) return because.notMade(name, lack.id, lack.status);
  }
  return undefined;
}

class StepRun {
  readonly node: Node;
  readonly frame: Frame;
  readonly filling = new Filling();
  readonly #report: StepReport;
  #retry: Retry | undefined;
  #deadline = Infinity;
  #last: Failure | undefined;
  #lastValue: unknown;
  #over: Failure | undefined;

  constructor(node: Node, frame: Frame, report: StepReport) {
    this.node = node;
    this.frame = frame;
    this.#report = report;
  }

  run(): StepEnd | Promise<StepEnd> {
    const { node, frame } = this;
    try {
      if (node.when && this.#wanted() === false) return this.#report.skipped(because.condition(node.when.source), true);
      if (frame.dry) return showDry(node, frame, this.#report, runStep);
      const use =
        node.kind === undefined ? frame.unit.use(node.command, frame.linked) : frame.unit.run.controls.use(node.kind);
      this.#retry = frame.retry ? node.retry : retryOf(node, use.facts, frame.unit.run.options.retries ?? 0);
      if (this.#retry?.max_s !== undefined) this.#deadline = frame.world.clock.monotonic() + this.#retry.max_s * 1000;
      const tried = this.#try(use);
      const ended = tried instanceof Promise ? tried.then((outcome) => this.#after(outcome)) : this.#after(tried);
      return ended instanceof Promise ? ended.catch((error: unknown) => this.#broke(error)) : ended;
    } catch (error) {
      return this.#broke(error);
    }
  }

  #broke(error: unknown): StepEnd {
    return this.#report.failed(asFailure(error, this.node.command), undefined, this.filling.secrets);
  }

  #wanted(): boolean | undefined {
    const { frame, filling, node } = this;
    const { run } = frame.unit;
    return node.when && run.values.wanted(node.when, frame, filling, run.host);
  }

  /** One attempt, within its time. Never throws or rejects. */
  #try(use: CommandView): Tried | Promise<Tried> {
    this.#report.attempts++;
    const limit = this.#limit();
    const cancel = limit ? new Cancellation(this.frame.cancel) : this.frame.cancel;
    const endTimer = limit && this.frame.world.clock.timer(limit.ms, () => cancel.cancel(limit.failure()));
    const deadline = limit && this.frame.world.clock.monotonic() + limit.ms;
    const attempt = new Attempt(
      { node: this.node, frame: this.frame, use, filling: this.filling, deadline, hold: this.#hold() },
      this.#report.attempts,
      cancel,
    );
    const ended = (failure?: unknown): Tried => {
      endTimer?.();
      if (limit) cancel.end();
      attempt.ended = true;
      return failure === undefined ? { attempt } : { attempt, failure: asFailure(failure, this.node.command) };
    };
    try {
      const running = attempt.run();
      return running ? running.then(() => ended(), ended) : ended();
    } catch (error) {
      return ended(error);
    }
  }

  /** What is told of the steps of a block waits until it is known whether another attempt follows. */
  #hold(): ReleasableHold | undefined {
    const { node, frame } = this;
    return node.kind !== undefined && this.#retry ? frame.unit.run.controls.hold(frame.hold) : undefined;
  }

  /** The time that this attempt has, and what it fails with when that is over. */
  #limit(): { readonly ms: number; failure(): Failure } | undefined {
    const { timeout_s: own } = this.node;
    const left =
      this.#deadline === Infinity ? Infinity : Math.max(this.#deadline - this.frame.world.clock.monotonic(), 0);
    if (own !== undefined && own * 1000 <= left)
      return { ms: own * 1000, failure: () => fail.stepTimedOut({ seconds: own }) };
    return left === Infinity ? undefined : { ms: left, failure: () => this.#timeIsOver() };
  }

  #timeIsOver(): Failure {
    return (this.#over ??= fail.attemptsTimedOut({
      seconds: this.#retry?.max_s ?? 0,
      cause: this.#last,
      expected: this.#last?.options.expected,
      actual: this.#last?.options.actual,
      result: this.#last?.options.result ?? this.#lastValue,
      expectations: this.#last?.options.expectations,
    }));
  }

  #after({ attempt, failure }: Tried): StepEnd | Promise<StepEnd> {
    this.#report.evidence = attempt.call.evidence;
    this.#report.args = attempt.args;
    if (!failure) {
      attempt.hold?.release(false);
      return this.#report.passed(attempt.value, this.filling.secrets, this.#retry?.max_s !== undefined);
    }
    if (failure === this.#over || this.frame.cancel.cancelled) return this.#fail(attempt, failure);
    const wait = this.#retry ? this.#ownWait(this.#retry, failure) : this.#guardsWait(attempt, failure);
    return wait === undefined ? this.#fail(attempt, failure) : this.#again(attempt, failure, wait);
  }

  #ownWait(retry: Retry, failure: Failure): number | undefined {
    const { attempts } = this.#report;
    return repeats(retry, attempts, failure) ? waitMs(retry, attempts, this.frame.world.random.number()) : undefined;
  }

  /** What a command around this list says. What a list of this step did cannot be undone: its failures are on record. */
  #guardsWait(attempt: Attempt, failure: Failure): number | undefined {
    return attempt.nestedFailed > 0 ? undefined : this.frame.retry?.policy.wait(failure);
  }

  async #again(attempt: Attempt, failure: Failure, wait: number): Promise<StepEnd> {
    const { clock } = this.frame.world;
    this.#last = failure;
    this.#lastValue = attempt.value;
    if (clock.monotonic() + wait >= this.#deadline) return this.#fail(attempt, this.#timeIsOver());
    this.#report.attemptFailed(failure, this.filling.secrets, wait);
    this.frame.unit.run.flush();
    try {
      await clock.sleep(wait, this.frame.cancel.signal);
      if (!this.#retry) await this.#beforeAgain();
    } catch (reason) {
      return this.#fail(attempt, asFailure(reason, this.node.command));
    }
    attempt.hold?.release(true);
    return this.#after(await this.#try(attempt.use));
  }

  async #beforeAgain(): Promise<void> {
    const { retry } = this.frame;
    const index = retry?.nodes.indexOf(this.node) ?? -1;
    if (index >= 0) await retry?.policy.before?.(index);
  }

  #fail(attempt: Attempt, reason: Failure): StepEnd | Promise<StepEnd> {
    attempt.hold?.release(false);
    const failure = soughtAt(reason, attempt.args, this.frame.world.folders.cwd);
    const showing = this.frame.unit.evidence(attempt.use);
    if (!showing) return this.#report.failed(failure, attempt.value, this.filling.secrets);
    return showing.then((more) => {
      this.#report.evidence = [...attempt.call.evidence, ...more];
      return this.#report.failed(failure, attempt.value, this.filling.secrets);
    });
  }
}
