import { parseText } from '#grammar/reference/parse.ts';
import { late } from '#grammar/language/late.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Condition, ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { itemAt, type ResolvedUnit, type Rule } from '../rule.ts';

/** Signs with which every reference begins. */
const signs = /\$\{|\{\{/;

/** A reference in a condition stands without quotes: texts there are not filled. */
export default {
  name: 'no-quoted-reference',
  preset: 'recommended',
  hint: signs,
  resolved(file) {
    const names = late(() => namesOf(file));
    for (const { condition, at } of conditionsOf(file)) {
      if (!signs.test(condition.source)) continue;
      for (const text of textsOf(condition.tree))
        if (parseText(text).parts.some((part) => typeof part !== 'string' && isKnown(part, names)))
          file.report(d.noQuotedReference({ text, ...unquoting(text, condition.source, at()) }));
    }
  },
} satisfies Rule;

function* conditionsOf({
  groups,
}: ResolvedUnit): Generator<{ readonly condition: Condition; readonly at: () => Label }> {
  for (const call of groups.having('when'))
    if (call.node.when) yield { condition: call.node.when, at: () => call.optionAt('when') };
  for (const call of groups.having('kind')) {
    const { node } = call;
    if ('condition' in node) yield { condition: node.condition, at: () => call.argumentAt(node.kind) };
  }
  for (const call of groups.having('expect'))
    for (const [index, condition] of (call.node.expect ?? []).entries())
      yield { condition, at: () => itemAt(call, 'expect', index) };
}

/**
 * The text in its quotes, and the suggestion to take them away where it is one reference and nothing more. Where it
 * stands with escapes, or several times, the whole condition is shown.
 */
function unquoting(text: string, source: string, at: Label): { readonly at: Label; readonly fixes: readonly Fix[] } {
  const written = [`"${text}"`, `'${text}'`].find((each) => source.includes(each));
  if (written === undefined || source.indexOf(written) !== source.lastIndexOf(written)) return { at, fixes: [] };
  const from = source.indexOf(written);
  const to = from + written.length;
  const operations: Fix['operations'] = [{ kind: 'replace-text', route: at.route, from, to, text }];
  const isOne = parseText(text).parts.length === 1;
  // People decide: the condition says something else then.
  const fix: Fix = { title: `write ${text}`, safety: 'unsafe', operations };
  return { at: { ...at, part: [from, to] }, fixes: isOne ? [fix] : [] };
}

function textsOf(tree: ConditionTree): readonly string[] {
  switch (tree.kind) {
    case 'literal':
      return typeof tree.value === 'string' && signs.test(tree.value) ? [tree.value] : [];
    case 'not':
      return textsOf(tree.operand);
    case 'and':
    case 'or':
    case 'compare':
      return [...textsOf(tree.left), ...textsOf(tree.right)];
    case 'call':
      return tree.args.flatMap(textsOf);
    case 'reference':
    case 'regex':
      return [];
  }
}

/** Names that a run has already, and those that the file gives; another one may be that of a template. */
function namesOf({ unit, groups }: ResolvedUnit): ReadonlySet<string> {
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
