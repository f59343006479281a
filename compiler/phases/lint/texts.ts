import { eachLiteralText } from '#grammar/source/literal-texts.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import { foldValue, type ValueForms } from '#schemas/types/fold-value.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Value } from '#schemas/types/plan.ts';

import type { ResolvedCall } from './rule.ts';

/** Stands in a text for a reference: what the run puts there is not known. */
export const REFERENCE = '\ufffc';

/** A text as messages show it. */
export function shown(text: string): string {
  return text.replaceAll(REFERENCE, '…');
}

/** A text inside a parameter, and the way to it from the parameter's value. */
export interface FoundText {
  readonly text: string;
  readonly path: Route;
}

/** Every text of a value, those with references too; steps inside are left out, they are calls of their own. */
export function textsOf(value: Value): readonly FoundText[] {
  return foldValue(value, allTexts);
}

// Made once: a file has thousands of values.
const allTexts: ValueForms<readonly FoundText[]> = {
  lit: literalTexts,
  text: (pieces) => [
    { text: pieces.map((piece) => (typeof piece === 'string' ? piece : REFERENCE)).join(''), path: [] },
  ],
  ref: () => [{ text: REFERENCE, path: [] }],
  list: (parts) => parts.flatMap((texts, index) => below(index, texts)),
  map: (entries) => entries.flatMap(([key, texts]) => below(key, texts)),
  block: () => [],
};

function below(step: string | number, texts: readonly FoundText[]): readonly FoundText[] {
  return texts.map(({ text, path }) => ({ text, path: [step, ...path] }));
}

/** Every text of a plain value. */
export function literalTexts(value: Json): readonly FoundText[] {
  if (typeof value === 'string') return [{ text: value, path: [] }];
  const found: FoundText[] = [];
  if (typeof value === 'object') eachLiteralText(value, (text, path) => void found.push({ text, path: path() }));
  return found;
}

/** The place of something inside a parameter. */
export function insideArgument(call: ResolvedCall, parameter: string, path: Route): Label {
  const at = call.argumentAt(parameter);
  return { ...at, route: [...at.route, ...path] };
}
