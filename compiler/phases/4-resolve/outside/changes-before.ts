import { dirname } from 'node:path';

import type { Json } from '#schemas/types/json.ts';

import type { Call, CallList } from '../resolved.ts';
import { eachCall, listsOf } from '../walk-calls.ts';

import { writesOfCall } from './writes.ts';
import { mayChange, type Writes } from './written-paths.ts';

interface Steps {
  readonly lists: readonly CallList[];
  /** Paths that may have been changed before the first of them. */
  readonly before: () => Writes;
  readonly pathOf: (value: Json) => string | undefined;
  /** Whether the steps run again: for a row, for a combination. */
  readonly isAgain: boolean;
}

/**
 * Tells whether a file may have been changed when a step begins: by the steps before it, and by any inside the step at
 * the top that holds it. Steps that run in no order, or again, come before all others.
 */
export class ChangesBefore {
  readonly #steps: Steps;
  /** Number of steps at the top that may have begun when a step begins; a step that is not there comes last. */
  #begun: ReadonlyMap<Call, number> | undefined;
  /** The first step at the top that may change a path. */
  readonly #first = new Map<string, number>();
  /** The first step at the top that may change anything. */
  #firstOfAll = Infinity;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  mayChange(path: string, call: Call): boolean {
    this.#begun ??= this.#follow();
    const begun = this.#begun.get(call) ?? Infinity;
    if (this.#firstOfAll < begun || mayChange(this.#steps.before(), path)) return true;
    for (let above = path; ; above = dirname(above)) {
      if ((this.#first.get(above) ?? Infinity) < begun) return true;
      if (above === dirname(above)) return false;
    }
  }

  #follow(): ReadonlyMap<Call, number> {
    const { lists, isAgain } = this.#steps;
    const isOrdered = !isAgain && lists.every(({ list }) => list.kind === 'list');
    const begun = new Map<Call, number>();
    for (const [index, top] of lists.flatMap(({ calls }) => calls).entries()) {
      this.#note(top, index);
      let isLater = holdsBackground(top);
      if (isOrdered) begun.set(top, index);
      const inside: Call[] = [];
      eachCall(listsOf(top).values(), (inner) => {
        this.#note(inner, index);
        isLater ||= holdsBackground(inner);
        inside.push(inner);
      });
      if (isOrdered && !isLater) for (const inner of inside) begun.set(inner, index + 1);
    }
    return begun;
  }

  #note(call: Call, index: number): void {
    const { paths, all } = writesOfCall(call, this.#steps.pathOf);
    if (all) this.#firstOfAll = Math.min(this.#firstOfAll, index);
    for (const path of paths) if (!this.#first.has(path)) this.#first.set(path, index);
  }
}

/** Whether steps inside run at any time after it. */
function holdsBackground({ signature }: Call): boolean {
  return signature.blocks.some(({ list }) => list === 'background');
}
