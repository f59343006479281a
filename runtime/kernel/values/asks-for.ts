import type { CommandFacts } from '#schemas/types/command.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Node, Value } from '#schemas/types/plan.ts';
import type { Ref } from '#schemas/types/reference.ts';

type Wanted = (ref: Ref) => boolean;

/** Whether a step asks for such a reference, or one of its lists does. With facts, lists that run in the background are not looked at: their events are their own. */
export function asksFor(node: Node, wanted: Wanted, facts: Readonly<Record<string, CommandFacts>> = {}): boolean {
  if (node.when && inTree(node.when.tree, wanted)) return true;
  if (node.expect?.some((condition) => inTree(condition.tree, wanted))) return true;
  return Object.entries(node.args).some(([name, value]) => {
    if ('block' in value && facts[node.command]?.lists?.[name] === 'background') return false;
    return inValue(value, wanted, facts);
  });
}

function inValue(value: Value, wanted: Wanted, facts: Readonly<Record<string, CommandFacts>>): boolean {
  if ('lit' in value) return false;
  if ('ref' in value) return wanted(value.ref);
  if ('text' in value) return value.text.some((part) => typeof part !== 'string' && wanted(part));
  if ('list' in value) return value.list.some((part) => inValue(part, wanted, facts));
  if ('map' in value) return value.map.some(([, part]) => inValue(part, wanted, facts));
  return value.block.some((node) => asksFor(node, wanted, facts));
}

function inTree(tree: ConditionTree, wanted: Wanted): boolean {
  switch (tree.kind) {
    case 'reference':
      return wanted(tree.ref);
    case 'not':
      return inTree(tree.operand, wanted);
    case 'and':
    case 'or':
    case 'compare':
      return inTree(tree.left, wanted) || inTree(tree.right, wanted);
    case 'call':
      return tree.args.some((arg) => inTree(arg, wanted));
    case 'literal':
    case 'regex':
      return false;
    default:
      return tree satisfies never;
  }
}
