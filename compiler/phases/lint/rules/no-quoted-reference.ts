import type { Document } from '#grammar/document/document.ts';
import { parseText } from '#grammar/reference/parse.ts';
import { late } from '#grammar/language/late.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Condition } from '#schemas/types/condition-tree.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList } from '#schemas/types/json.ts';

import { valueAt } from '../../3-parse/routes.ts';
import { namesIn, quotedReferences, SIGNS } from '../quoted-references.ts';
import { itemAt, type ResolvedCall, type ResolvedUnit, type Rule } from '../rule.ts';

/** A reference in a condition stands without quotes: texts there are not filled. */
export default {
  name: 'no-quoted-reference',
  preset: 'recommended',
  hint: SIGNS,
  resolved(file) {
    const names = late(() => namesIn(file));
    for (const { condition, at } of conditionsOf(file)) {
      for (const text of quotedReferences(condition, names))
        file.report(d.noQuotedReference({ text, ...unquoting(text, condition.source, at()) }));
    }
  },
} satisfies Rule;

function* conditionsOf({
  document,
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
      yield { condition, at: () => expectationAt(call, index, document) };
}

/** An element of the list, or the option itself, where its text is changed. */
function expectationAt(call: ResolvedCall, index: number, { value }: Document): Label {
  const at = call.optionAt('expect');
  return isList(valueAt(value, at.route)) ? itemAt(call, 'expect', index) : at;
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
