import { parseText } from '#grammar/reference/parse.ts';
import type { Condition, ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Ref } from '#schemas/types/reference.ts';

import type { ResolvedUnit } from './rule.ts';

/** Signs with which every reference begins. */
export const SIGNS = /\$\{|\{\{/;

/** Texts in quotes of a condition that hold a reference to what a run has: they were to be filled, and are not. */
export function quotedReferences({ source, tree }: Condition, names: () => ReadonlySet<string>): readonly string[] {
  if (!SIGNS.test(source)) return [];
  return textsOf(tree).filter((text) =>
    parseText(text).parts.some((part) => typeof part !== 'string' && isKnown(part, names)),
  );
}

function textsOf(tree: ConditionTree): readonly string[] {
  switch (tree.kind) {
    case 'literal':
      return typeof tree.value === 'string' && SIGNS.test(tree.value) ? [tree.value] : [];
    case 'not':
      return textsOf(tree.operand);
    case 'and':
    case 'or':
    case 'compare':
      return [...textsOf(tree.left), ...textsOf(tree.right)];
    case 'call':
      return tree.args.flatMap(textsOf);
    case 'list':
      return tree.items.flatMap(textsOf);
    case 'object':
      return tree.entries.flatMap(([, value]) => textsOf(value));
    case 'reference':
    case 'regex':
      return [];
  }
}

/** Names that a run has already, and those that the file gives; another one may be that of a template. */
export function namesIn({ unit, groups }: ResolvedUnit): ReadonlySet<string> {
  const names = new Set(['run', 'steps', 'result', 'last_response', ...unit.inputs.map(({ name }) => name)]);
  for (const { node } of groups.having('provides'))
    for (const provision of node.provides ?? [])
      if (provision.startsWith('variable:')) names.add(provision.slice('variable:'.length));
  for (const { node } of groups.having('kind'))
    if (node.kind === 'for_each') names.add(node.as).add(`${node.as}_index`);
  return names;
}

function isKnown({ ns, name }: Ref, names: () => ReadonlySet<string>): boolean {
  return ns !== 'var' || names().has(name);
}
