import { isPromise } from '#runtime/kernel/is-promise.ts';
import type { StepObserver, StepView } from '#runtime/kernel/step-observer.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import type { ScopeFactory, StepOutcome } from './port.ts';

type Leave = (outcome: StepOutcome) => unknown;

/**
 * Enters a scope before each step and leaves it afterwards. What the scopes throw or reject with is told, and changes
 * nothing.
 */
export class Scopes implements StepObserver {
  readonly #factory: ScopeFactory;
  readonly #broken: (error: unknown) => void;
  readonly #open = new WeakMap<
    StepView,
    { readonly leave: Leave | undefined; readonly entered: Promise<unknown> | undefined }
  >();
  readonly #leaving = new Set<Promise<unknown>>();

  constructor(factory: ScopeFactory, broken: (error: unknown) => void) {
    this.#factory = factory;
    this.#broken = broken;
  }

  started(step: StepView): void {
    try {
      const scope = this.#factory(step.command);
      if (isPromise(scope)) {
        this.#broken(new TypeError('the function yields a promise, but a scope is entered at once'));
        void scope.then(undefined, this.#broken);
        return;
      }
      const entered = enter(scope);
      this.#open.set(step, { leave: leaveOf(scope), entered: isPromise(entered) ? this.#heard(entered) : undefined });
    } catch (error) {
      this.#broken(error);
    }
  }

  ended(step: StepView, record: RunRecord): void {
    const open = this.#open.get(step);
    this.#open.delete(step);
    if (!open?.leave || (record.status !== 'passed' && record.status !== 'failed')) return;
    const { leave, entered } = open;
    const outcome = outcomeOf(record);
    if (entered) return void this.#heard(entered.then(() => leave(outcome)));
    try {
      const left = leave(outcome);
      if (isPromise(left)) void this.#heard(left);
    } catch (error) {
      this.#broken(error);
    }
  }

  /** Resolves when every scope that is being left has been. */
  async settled(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  #heard(work: PromiseLike<unknown>): Promise<unknown> {
    const heard = Promise.resolve(work).catch((error: unknown) => this.#broken(error));
    this.#leaving.add(heard);
    void heard.then(() => this.#leaving.delete(heard));
    return heard;
  }
}

function enter(scope: unknown): unknown {
  return has(scope, 'enter') ? scope.enter() : undefined;
}

function leaveOf(scope: unknown): Leave | undefined {
  if (typeof scope === 'function') return (outcome) => (scope as Leave)(outcome);
  if (has(scope, 'leave')) return (outcome) => scope.leave(outcome);
  if (has(scope, Symbol.asyncDispose)) return () => scope[Symbol.asyncDispose]();
  return has(scope, Symbol.dispose) ? () => scope[Symbol.dispose]() : undefined;
}

function has<Key extends PropertyKey>(
  scope: unknown,
  key: Key,
): scope is Record<Key, (...given: readonly unknown[]) => unknown> {
  return (
    typeof scope === 'object' &&
    scope !== null &&
    typeof (scope as Partial<Record<PropertyKey, unknown>>)[key] === 'function'
  );
}

function outcomeOf({ status, attempts, duration_ms, result, error }: RunRecord): StepOutcome {
  return {
    status: status === 'passed' ? 'passed' : 'failed',
    attempts,
    duration_ms,
    ...(status === 'passed' && result !== undefined && { value: result }),
    ...(error && {
      error: { name: error.name, message: error.message, ...(error.code !== undefined && { code: error.code }) },
    }),
  };
}
