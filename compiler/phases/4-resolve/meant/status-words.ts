import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';

import { quoted } from '../../3-parse/fields.ts';

const OF_RUN: readonly string[] = ['failed', 'passed'];
const OF_STEPS: readonly string[] = ['dry-run', 'failed', 'passed', 'skipped'];

/** Words of other tools for what becomes of a step, in small letters. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  ...{ broken: 'failed', error: 'failed', errored: 'failed', fail: 'failed', failure: 'failed' },
  ...{ ok: 'passed', pass: 'passed', passing: 'passed', success: 'passed', succeeded: 'passed', successful: 'passed' },
  ...{ ignored: 'skipped', omitted: 'skipped', skip: 'skipped' },
};

type Comparison = Extract<ConditionTree, { kind: 'compare' }>;

/** A status that is compared with a word which it never is; undefined for other comparisons. */
export function statusNeverSo({ left, right }: Comparison, at: Label, source: string): Diagnostic | undefined {
  const statuses = statusesOf(left) ?? statusesOf(right);
  const literal = [left, right].find((side) => side.kind === 'literal');
  const value = literal?.kind === 'literal' ? literal.value : undefined;
  if (statuses === undefined || typeof value !== 'string' || statuses.includes(value)) return undefined;
  const word = value.toLowerCase();
  const other = Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : undefined;
  const nearest = other !== undefined && statuses.includes(other) ? other : didYouMean(value, statuses)[0];
  return d.statusNeverSo({ at, value, allowed: quoted(statuses), nearest, fixes: written(value, nearest, at, source) });
}

function statusesOf(tree: ConditionTree): readonly string[] | undefined {
  if (tree.kind !== 'reference' || tree.ref.ns !== 'var' || tree.ref.convert !== undefined) return undefined;
  const { name, path = [] } = tree.ref;
  if (name === 'run' && path.length === 1 && path[0] === 'status') return OF_RUN;
  return name === 'steps' && path.length === 2 && path[1] === 'status' ? OF_STEPS : undefined;
}

/** The word alone is written anew, where it stands once. */
function written(value: string, meant: string | undefined, { route }: Label, source: string): readonly Fix[] {
  const text = ['"', "'"].map((quote) => `${quote}${value}${quote}`).find((each) => source.includes(each));
  if (text === undefined || meant === undefined || source.indexOf(text) !== source.lastIndexOf(text)) return [];
  const from = source.indexOf(text) + 1;
  const operations = [{ kind: 'replace-text' as const, route, from, to: from + value.length, text: meant }];
  return [{ title: `write ${meant}`, safety: 'unsafe', operations }];
}
