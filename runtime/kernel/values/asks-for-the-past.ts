import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Node, Unit, Value } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';

/** Whether some reference of a unit asks for `steps` or `run`: only then must results be kept. */
export function asksForThePast(unit: Unit): boolean {
  if (unit.needs.ports.includes('references') || unit.needs.ports.includes('executor')) return true;
  return [unit.setup, unit.body, unit.teardown].some((nodes) => nodes.some(inNode));
}

function inNode(node: Node): boolean {
  if (node.when && inTree(node.when.tree)) return true;
  if (node.expect?.some((condition) => inTree(condition.tree))) return true;
  for (const name in node.args) {
    const value = node.args[name];
    if (value && inValue(value)) return true;
  }
  return false;
}

function inValue(value: Value): boolean {
  if ('lit' in value) return false;
  if ('ref' in value) return isPast(value.ref);
  if ('text' in value) return value.text.some((part) => typeof part !== 'string' && isPast(part));
  if ('list' in value) return value.list.some(inValue);
  if ('map' in value) return value.map.some(([, part]) => inValue(part));
  return value.block.some(inNode);
}

function isPast(ref: Ref): boolean {
  return ref.ns === 'var' && (ref.name === 'steps' || ref.name === 'run');
}

function inTree(tree: ConditionTree): boolean {
  switch (tree.kind) {
    case 'reference':
      return isPast(tree.ref);
    case 'not':
      return inTree(tree.operand);
    case 'and':
    case 'or':
    case 'compare':
      return inTree(tree.left) || inTree(tree.right);
    case 'call':
      return tree.args.some(inTree);
    case 'literal':
    case 'regex':
      return false;
    default:
      return tree satisfies never;
  }
}
