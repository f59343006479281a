import type { Value } from '#schemas/types/plan.ts';

import type { Frame } from '../contract.ts';
import type { Filling } from '../values/surroundings.ts';

/**
 * Fills a value in the surroundings of steps that have run. Secrets in it are told to `filling`, which is that of the
 * step whose result it becomes a part of.
 */
export async function fillLater(value: Value, frame: Frame, filling: Filling): Promise<unknown> {
  const { values, masker } = frame.unit.run;
  const fill = (): unknown => values.fill(value, frame, filling, () => null);
  let filled = fill();
  for (let waiting = filling.waiting; waiting; waiting = filling.waiting) {
    filling.waiting = undefined;
    await Promise.all(waiting);
    filled = fill();
  }
  for (const secret of filling.secrets?.keys() ?? []) masker.add(secret);
  return filled;
}
