import type { StepView } from '#runtime/kernel/events.ts';
import * as because from '#runtime/kernel/reasons.ts';
import type { RunRecord } from '#schemas/types/record.ts';

/** Reason why a step did not run, as far as the note on it differs. */
type Cause = 'condition' | 'setup' | 'fail-fast' | 'need' | 'failure';

/**
 * Counts what a file's report does not show step by step, so that counts and ticks agree, and says why the rest of a
 * body ran or not after a failure.
 */
export class Rest {
  readonly #hidden = new Map<StepView['part'], number>();
  readonly #skipped = new Map<Cause, number>();
  #failures = 0;
  #inSetup = false;
  #ranAfter = 0;

  /** A step that has a line of its own, or (`hidden`) none. */
  add({ part }: StepView, { status, reason }: RunRecord, hidden: boolean): void {
    if (status === 'failed') {
      this.#failures += 1;
      this.#inSetup ||= part === 'setup';
    } else if (status === 'skipped') {
      const cause = this.#causeOf(reason ?? '');
      // With a line of its own it says so itself.
      if (hidden || cause !== 'condition') this.#skipped.set(cause, (this.#skipped.get(cause) ?? 0) + 1);
    } else {
      if (hidden) this.#hidden.set(part, (this.#hidden.get(part) ?? 0) + 1);
      if (this.#failures > 0 && part === 'body') this.#ranAfter += 1;
    }
  }

  #causeOf(reason: string): Cause {
    if (!import.meta.withoutVariables && reason.startsWith(because.condition(''))) return 'condition';
    if (reason === because.failFast) return 'fail-fast';
    if (this.#inSetup) return 'setup';
    return !import.meta.withoutVariables && because.isOfNeed(reason) ? 'need' : 'failure';
  }

  /** Number of steps that passed without a line of their own, in words; empty: each has one. */
  get passed(): string {
    const { setup = 0, body = 0, teardown = 0 } = Object.fromEntries(this.#hidden);
    const parts = [
      ...(setup > 0 ? [steps(setup, 'setup ')] : []),
      ...(body > 0 ? [`${steps(body)} without a name`] : []),
      ...(teardown > 0 ? [steps(teardown, 'teardown ')] : []),
    ];
    return parts.join(', ');
  }

  /** Notes on steps that did not run, or ran after a failure, by the rule of their unit. */
  notes(rule: string): readonly string[] {
    const count = (cause: Cause): number => this.#skipped.get(cause) ?? 0;
    const notes: string[] = [];
    if (!import.meta.withoutVariables && count('condition') > 0)
      notes.push(`${steps(count('condition'))} skipped by ${count('condition') === 1 ? 'its' : 'their'} \`when\``);
    if (count('setup') > 0) notes.push(`${steps(count('setup'))} skipped, because the setup failed`);
    if (count('fail-fast') > 0) notes.push(`${steps(count('fail-fast'))} skipped, because of \`--fail-fast\``);
    if (count('failure') > 0) notes.push(this.#afterFailure(rule, count('failure')));
    if (!import.meta.withoutVariables && count('need') > 0) {
      // In a graph `fail_fast` decides about steps that need what failed, too.
      const isDecided = this.#failures > 0 && stops[rule]?.includes('fail_fast') === true;
      const missing = this.#failures > 0 ? 'failed' : 'was skipped';
      notes.push(isDecided ? this.#afterFailure(rule, count('need')) : needing(count('need'), missing));
    }
    if (this.#ranAfter > 0 && goesOn[rule] !== undefined) notes.push(goesOn[rule]);
    return notes;
  }

  #afterFailure(rule: string, count: number): string {
    // The rows could not be read, so nothing ran at all: the reason of the unit stands below.
    if (!import.meta.withoutRows && this.#failures === 0) return `${steps(count)} skipped`;
    const advice = stops[rule];
    if (advice === undefined)
      return import.meta.withoutVariables ? `${steps(count)} skipped` : needing(count, 'failed');
    const whose = this.#failures === 1 ? 'this failure' : 'failures';
    return `${steps(count)} skipped after ${whose}; ${count === 1 ? advice.replace(' them', ' it') : advice}`;
  }
}

function needing(count: number, missing: string): string {
  return `${steps(count)} skipped, because ${count === 1 ? 'it needs' : 'they need'} what ${missing}`;
}

function steps(count: number, kind = ''): string {
  return `${count} ${kind}${count === 1 ? 'step' : 'steps'}`;
}

/** Ways to run the steps that were skipped, by the rule of their unit. */
const stops: Readonly<Record<string, string>> = {
  stop: '`meta.on_failure: continue` runs them',
  ...(import.meta.withoutGraphs
    ? {}
    : {
        'graph: skip-dependents': '`meta.fail_fast: false` runs what depends on it',
        'graph: stop': '`meta.on_failure: stop` lets nothing more begin',
      }),
};
/** Reasons why steps ran after a failure, by the rule of their unit. */
const goesOn: Readonly<Record<string, string>> = {
  continue: 'the rest ran: `continue`, as lists, `svc:` and `webdriver_wrapper:` bodies do; `actions:` stops',
  ...(import.meta.withoutStated ? {} : { 'stated: continue': 'the rest ran, because of `meta.on_failure: continue`' }),
  ...(import.meta.withoutGraphs
    ? {}
    : { 'graph: run-dependents': 'what depends on a failed node ran too, because of `meta.fail_fast: false`' }),
};
