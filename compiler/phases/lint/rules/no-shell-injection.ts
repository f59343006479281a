import { printReference } from '#grammar/reference/print.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { foldValue, type ValueForms } from '#schemas/types/fold-value.ts';
import { isList } from '#schemas/types/json.ts';
import type { Ref } from '#schemas/types/reference.ts';

import type { ResolvedCall, Rule } from '../rule.ts';
import { shellText, wordAt } from '../shell-text.ts';
import { REFERENCE } from '../texts.ts';

/** Kinds of references whose texts come from elsewhere, and may hold quotes and signs of a shell. */
const FOREIGN: ReadonlySet<Ref['ns']> = new Set(['var', 'ROW', 'ENV', 'env', 'event', 'file']);

/** Values reach a shell as arguments or by the environment, not as a part of its script. */
export default {
  name: 'no-shell-injection',
  preset: 'recommended',
  hint: /\$\{|\{\{/,
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ gate }) => gate === 'shell')) {
      const found = spliced(call);
      if (found !== undefined) report(d.noShellInjection(found));
    }
  },
} satisfies Rule;

/** The first reference inside the script of a shell. */
function spliced(call: ResolvedCall): Parameters<typeof d.noShellInjection>[0] | undefined {
  const command = call.node.args['command'];
  const words = command === undefined ? [] : foldValue(command, wordsOf);
  const texts = words.map(({ text }) => text);
  const script = shellText(texts);
  const ref = script && words[script.index]?.refs.find(isForeign);
  if (script === undefined || ref === undefined) return undefined;
  return { at: wordAt(call, script.index), reference: printReference(ref), shell: texts[0] ?? '' };
}

/** A word of a program, references as `REFERENCE`. */
interface Word {
  readonly text: string;
  readonly refs: readonly Ref[];
}

const wordsOf: ValueForms<readonly Word[]> = {
  lit: (value) => (isList(value) ? value : [value]).map((word) => ({ text: String(word), refs: [] })),
  text: (pieces) => [
    {
      text: pieces.map((piece) => (typeof piece === 'string' ? piece : REFERENCE)).join(''),
      refs: pieces.filter((piece) => typeof piece !== 'string'),
    },
  ],
  ref: (ref) => [{ text: REFERENCE, refs: [ref] }],
  list: (words) => words.flat(),
  map: () => [],
  block: () => [],
};

/** Numbers and booleans hold no sign of a shell. */
function isForeign({ ns, convert }: Ref): boolean {
  return FOREIGN.has(ns) && (convert === undefined || convert === 'json');
}
