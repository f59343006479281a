import type { Unit } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { asksFor } from './asks-for.ts';

/** Whether some reference of a unit asks for `steps` or `run`: only then must results be kept. */
export function asksForThePast(unit: Unit): boolean {
  if (unit.needs.ports.includes('references') || unit.needs.ports.includes('executor')) return true;
  return [unit.setup, unit.body, unit.teardown].some((nodes) => asksFor(nodes, isPast));
}

function isPast(ref: Ref): boolean {
  return ref.ns === 'var' && (ref.name === 'steps' || ref.name === 'run');
}
