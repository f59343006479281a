import { printableLine } from '#grammar/source/printable.ts';
import type { StepView } from '#runtime/kernel/events.ts';

/** Ids that a plan gives by itself: the numbers and lists on the way to a step. */
const numbered = /^(?:(?:setup|teardown)\.)?\d+(?:$|\.)/;

/** The id that the author gave to a step, or to the node of a graph; undefined where it has none. */
export function ownId({ id }: { readonly id: string }): string | undefined {
  const own = id.slice(id.indexOf('#') + 1);
  return numbered.test(own) ? undefined : printableLine(own);
}

/** A step as reports name it: by its name, else by its id and command; and of which row it is. */
export function titleOf(step: StepView): string {
  const id = ownId(step);
  const own = step.name ?? (id === undefined ? step.command : `${id}: ${step.command}`);
  return `${printableLine(own)}${step.row === undefined ? '' : ` [row ${step.row}]`}`;
}
