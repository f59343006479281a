import { printableLine } from '#grammar/source/printable.ts';
import type { StepView } from '#runtime/kernel/events.ts';

import { unitName } from './unit-name.ts';

/** Ids that a plan gives by itself: the numbers and lists on the way to a step. */
const numbered = /^(?:(?:setup|teardown)\.)?\d+(?:$|\.)/;

/** The id that the author gave to a step, or to the node of a graph; undefined where it has none. */
export function ownId({ id }: { readonly id: string }): string | undefined {
  const own = id.slice(id.indexOf('#') + 1);
  return numbered.test(own) ? undefined : printableLine(own);
}

/** A step as reports name it: by its name, else by its id and command; and of which row it is. */
export function titleOf(step: StepView, beside = ''): string {
  const id = ownId(step);
  const own = step.name ?? (id === undefined ? step.command : `${id}: ${step.command}`);
  const row = import.meta.withoutRows || step.row === undefined ? '' : ` [row ${step.row}]`;
  return `${printableLine(own)}${beside}${row}`;
}

/** The title where the step's unit does not stand above it: with the combination of its matrix. */
export function fullTitleOf(step: StepView): string {
  return titleOf(step, combinationOf(step));
}

function combinationOf({ source }: StepView): string {
  const { combination } = unitName(source);
  return combination === undefined ? '' : ` [${printableLine(combination)}]`;
}
