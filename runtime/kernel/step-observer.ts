import type { Json } from '#schemas/types/json.ts';
import type { RunRecord } from '#schemas/types/record.ts';
import type { StepView } from '#schemas/types/run-event.ts';

export type { StepView } from '#schemas/types/run-event.ts';

/**
 * Sees every step of its unit, those of nested lists too, for as long as it wants. Both calls of one step get
 * the same view. Everything that it is told is masked. Its errors are told once and change nothing.
 */
export interface StepObserver {
  /**
   * Called when a step begins; not for steps that were under way when it began to observe, nor for those that
   * are skipped without a try.
   */
  started?(step: StepView): void;
  /** `args`: what the command was called with at last, made when asked for; undefined where it was not called. */
  ended(step: StepView, record: RunRecord, args: () => Json | undefined): void;
}

/** The observers of one unit. */
export class StepObservers {
  readonly #all = new Map<StepObserver, (error: unknown) => void>();

  /** `broken` hears of what the observer throws. The function that is yielded ends it. */
  add(observer: StepObserver, broken: (error: unknown) => void): () => void {
    this.#all.set(observer, broken);
    return () => this.#all.delete(observer);
  }

  started(step: StepView): void {
    this.#tell((observer) => observer.started?.(step));
  }

  ended(step: StepView, record: RunRecord, args: () => Json | undefined): void {
    this.#tell((observer) => observer.ended(step, record, args));
  }

  #tell(call: (observer: StepObserver) => void): void {
    for (const [observer, broken] of this.#all) {
      try {
        call(observer);
      } catch (error) {
        broken(error);
      }
    }
  }
}
