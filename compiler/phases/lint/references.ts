import type { Node } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { eachReferenceOf } from '#schemas/types/walk-nodes.ts';

/** Every reference of a step: in its parameters and in its conditions, whether or not it has a default. */
export function referencesOf(node: Node): readonly Ref[] {
  const found: Ref[] = [];
  eachReferenceOf(node, (ref) => void found.push(ref));
  return found;
}
