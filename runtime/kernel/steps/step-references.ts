import type { Json } from '#schemas/types/json.ts';
import type { Ref } from '#schemas/types/reference.ts';

import type { Frame } from '../contract.ts';
import type { References } from '../ports.ts';
import { Filling } from '../values/surroundings.ts';

/** Values of references for one step, for commands that fill texts themselves. */
export class StepReferences implements References {
  readonly #frame: Frame;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  async value(ref: Ref): Promise<Json> {
    const filling = new Filling();
    const { values } = this.#frame.unit.run;
    let value = values.valueOf(ref, this.#frame, filling);
    if (filling.waiting) {
      await Promise.all(filling.waiting);
      filling.waiting = undefined;
      value = values.valueOf(ref, this.#frame, filling);
    }
    for (const secret of filling.secrets?.keys() ?? []) this.#frame.unit.run.masker.add(secret);
    return value as Json;
  }
}
