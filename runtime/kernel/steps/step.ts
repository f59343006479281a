import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Node } from '#schemas/types/plan.ts';

import { asFailure } from '../as-failure.ts';
import { Attempt } from './attempt.ts';
import { Cancellation } from '../cancellation.ts';
import { notLinked } from '../not-linked.ts';
import { showDry } from './dry-run.ts';
import type { CommandView, Frame, ReleasableHold, StepEnd } from '../contract.ts';
import * as because from '../reasons.ts';
import { triesOf, type Tries } from './retry.ts';
import { soughtAt } from './sought-at.ts';
import { StepReport } from './step-report.ts';
import { Filling } from '../values/surroundings.ts';

/** Outcome of one attempt: nothing wrong, or why it failed. */
interface Tried {
  readonly attempt: Attempt;
  readonly failure?: Failure;
}

/**
 * Runs one step to its record. Yields a promise only where something in it takes time. Never throws or rejects: a step
 * whose end cannot be told fails with that, so that what follows it, and teardown, still runs.
 */
export function runStep(node: Node, frame: Frame): StepEnd | Promise<StepEnd> {
  const reason = import.meta.withoutVariables ? undefined : node.uses && lacking(node.uses, frame);
  const report = new StepReport(node, frame);
  if (reason !== undefined) return report.skipped(reason);
  report.started();
  return new StepRun(node, frame, report).run();
}

/**
 * A step that does not run, for a reason that lies outside of it. `kept`: what it would make is as it was, not missing.
 */
export function skipStep(node: Node, frame: Frame, reason: string, kept = false): StepEnd {
  return new StepReport(node, frame).skipped(reason, kept);
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
  #tries: Tries | undefined;

  constructor(node: Node, frame: Frame, report: StepReport) {
    this.node = node;
    this.frame = frame;
    this.#report = report;
  }

  run(): StepEnd | Promise<StepEnd> {
    const { node, frame } = this;
    try {
      if (!import.meta.withoutVariables && node.when && this.#wanted() === false)
        return this.#report.skipped(because.condition(node.when.source), true);
      if (frame.dry) return showDry(node, frame, this.#report, runStep);
      const use =
        node.kind === undefined ? frame.unit.use(node.command, frame.linked) : frame.unit.run.controls.use(node.kind);
      if (!import.meta.withoutRetries) this.#tries = triesOf(node, frame, use.facts);
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
    if (import.meta.withoutVariables) return notLinked('variables');
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

  /** A hold on the reports of a block's steps, until it is known whether another attempt follows. */
  #hold(): ReleasableHold | undefined {
    const { node, frame } = this;
    return !import.meta.withoutControls && node.kind !== undefined && this.#tries?.areOwn
      ? frame.unit.run.controls.hold(frame.hold)
      : undefined;
  }

  /** The time that this attempt has, and what it fails with when that is over. */
  #limit(): { readonly ms: number; failure(): Failure } | undefined {
    const { timeout_s: own } = this.node;
    const left = this.#tries?.begin() ?? Infinity;
    if (own !== undefined && own * 1000 <= left)
      return { ms: own * 1000, failure: () => fail.stepTimedOut({ seconds: own }) };
    const tries = import.meta.withoutRetries ? undefined : this.#tries;
    return !tries || left === Infinity ? undefined : { ms: left, failure: () => tries.timeIsOver() };
  }

  #after({ attempt, failure }: Tried): StepEnd | Promise<StepEnd> {
    this.#report.evidence = attempt.call.evidence;
    this.#report.args = attempt.args;
    if (!import.meta.withoutChance) this.#report.seed = attempt.call.seed;
    const tries = import.meta.withoutRetries ? undefined : this.#tries;
    if (!failure) {
      attempt.hold?.release(false);
      return this.#report.passed(attempt.value, this.filling.secrets, tries?.waits ?? false);
    }
    const wait = this.frame.cancel.cancelled ? undefined : tries?.wait(attempt, failure);
    return tries && wait !== undefined ? this.#again(tries, attempt, failure, wait) : this.#fail(attempt, failure);
  }

  async #again(tries: Tries, attempt: Attempt, failure: Failure, wait: number): Promise<StepEnd> {
    if (import.meta.withoutRetries) return notLinked('retries');
    if (!tries.goesOn(failure, attempt.value, wait)) return this.#fail(attempt, tries.timeIsOver());
    this.#report.attemptFailed(failure, this.filling.secrets, wait);
    this.frame.unit.run.flush();
    try {
      await tries.pause(wait);
    } catch (reason) {
      return this.#fail(attempt, asFailure(reason, this.node.command));
    }
    attempt.hold?.release(true);
    return this.#after(await this.#try(attempt.use));
  }

  #fail(attempt: Attempt, reason: Failure): StepEnd | Promise<StepEnd> {
    attempt.hold?.release(false);
    const failure = soughtAt(reason, attempt.args, this.frame.world.folders.cwd);
    const { name: command, facts } = attempt.use;
    const told =
      import.meta.withoutHooks || attempt.nestedFailed > 0
        ? undefined
        : this.frame.unit.hooks?.failed?.(failure, { command, facts });
    return told ? told.then((each) => this.#show(attempt, each)) : this.#show(attempt, failure);
  }

  #show(attempt: Attempt, failure: Failure): StepEnd | Promise<StepEnd> {
    const showing = import.meta.withoutEvidence ? undefined : this.frame.unit.evidence(attempt.use);
    if (!showing) return this.#report.failed(failure, attempt.value, this.filling.secrets);
    return showing.then((more) => {
      this.#report.evidence = [...attempt.call.evidence, ...more];
      return this.#report.failed(failure, attempt.value, this.filling.secrets);
    });
  }
}
