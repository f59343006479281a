import type { StepInfo } from '#runtime/kernel/ports.ts';

/**
 * Names that calls hold while they run their lists. A step that waits for one that a call around it holds would
 * wait for itself.
 */
export class HeldAround {
  readonly #names = new WeakMap<StepInfo, Set<string>>();

  /** Whether one of the calls around a step holds it. */
  has({ around = [] }: StepInfo, name: string): boolean {
    return around.some((call) => this.#names.get(call)?.has(name) === true);
  }

  /** Held by this call until the function that is yielded is called. */
  add(call: StepInfo, name: string): () => void {
    const names = this.#names.get(call) ?? new Set();
    this.#names.set(call, names.add(name));
    return () => names.delete(name);
  }
}
