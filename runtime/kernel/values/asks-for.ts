import type { CommandFacts } from '#schemas/types/command.ts';
import type { Node } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { eachReferenceOf, everyNode } from '#schemas/types/walk-nodes.ts';

/**
 * Whether some step asks for such a reference, or one of its lists does. With facts, lists that run in the background
 * are not looked at: their events are their own.
 */
export function asksFor(
  nodes: readonly Node[],
  wanted: (ref: Ref) => boolean,
  facts: Readonly<Record<string, CommandFacts>> = {},
): boolean {
  let found = false;
  const look = (ref: Ref): void => {
    found ||= wanted(ref);
  };
  for (const node of everyNode(
    nodes,
    ({ parameter }, { command }) => facts[command]?.lists?.[parameter] !== 'background',
  ))
    eachReferenceOf(node, look);
  return found;
}
