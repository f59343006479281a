import type { Hold, ReleasableHold } from '../contract.ts';

/** Holds what is told of the steps of one attempt until it is known whether the attempt was the last. */
export class AttemptHold implements ReleasableHold {
  readonly #outer: Hold | undefined;
  #held: ((superseded: boolean) => void)[] = [];

  constructor(outer: Hold | undefined) {
    this.#outer = outer;
  }

  add(tell: (superseded: boolean) => void): void {
    this.#held.push(tell);
  }

  /**
   * Hands the reports on to the attempt around this one, which may supersede them too; without one, tells them
   * to all.
   */
  release(superseded: boolean): void {
    const held = this.#held;
    this.#held = [];
    for (const tell of held) {
      if (this.#outer === undefined) tell(superseded);
      else this.#outer.add((isOuterSuperseded) => tell(superseded || isOuterSuperseded));
    }
  }
}
