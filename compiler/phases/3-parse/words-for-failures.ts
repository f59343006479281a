import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { OnFailure } from '#schemas/types/plan.ts';

import { truthOfWord } from './meant.ts';

export const ON_FAILURE: readonly OnFailure[] = ['continue', 'stop'];

/** Words that other tools have for them. */
export const WORDS_FOR_FAILURES: Readonly<Record<string, OnFailure>> = {
  ...{ continue_on_error: 'continue', ignore: 'continue', next: 'continue', proceed: 'continue', resume: 'continue' },
  // Under `continue` those that need the step are skipped.
  ...{ skip: 'continue', warn: 'continue' },
  ...{ abort: 'stop', break: 'stop', cancel: 'stop', error: 'stop', exit: 'stop', fail: 'stop', halt: 'stop' },
  ...{ quit: 'stop', raise: 'stop', terminate: 'stop', throw: 'stop' },
};

/** Keys under which other tools name what happens after a failure. */
const ACTIONS: ReadonlySet<string> = new Set([
  'action',
  'behavior',
  'behaviour',
  'do',
  'mode',
  'strategy',
  'then',
  'type',
]);

/** Meaning of a word, or of a truth under a key that says when it goes on; `stops`: when it does not. */
export function onFailureMeant(value: Json, stops = false): OnFailure | undefined {
  const truth = typeof value === 'boolean' ? value : truthOfWord(value);
  if (truth !== undefined) return truth === stops ? 'stop' : 'continue';
  if (typeof value !== 'string') return undefined;
  return ON_FAILURE.find((each) => each === value) ?? wordMeant(value);
}

/** `[stop]`, `{continue: true}` and `{action: ignore}`. */
export function onFailureInside(value: Json): OnFailure | undefined {
  if (isList(value)) return value.length === 1 && typeof value[0] === 'string' ? onFailureMeant(value[0]) : undefined;
  const [only, ...others] = isObject(value) ? Object.entries(value) : [];
  if (only === undefined || others.length > 0) return undefined;
  const [key, inside] = only;
  if (ACTIONS.has(key.toLowerCase())) return typeof inside === 'string' ? onFailureMeant(inside) : undefined;
  const word = ON_FAILURE.find((each) => each === key) ?? wordMeant(key);
  const truth = typeof inside === 'boolean' ? inside : truthOfWord(inside);
  return word === undefined || truth === undefined ? undefined : onFailureMeant(truth, word === 'stop');
}

function wordMeant(text: string): OnFailure | undefined {
  const word = text.toLowerCase().replaceAll(/[- ]/g, '_');
  return Object.hasOwn(WORDS_FOR_FAILURES, word) ? WORDS_FOR_FAILURES[word] : undefined;
}
