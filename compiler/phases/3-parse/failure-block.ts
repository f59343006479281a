import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix, TreeOperation } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { CONTROL_FORMS, formOfOtherWord, isControlWord, keyOfOtherWord } from '../1-read/control-forms.ts';
import { isStepOption } from '../1-read/vocabulary.ts';

import type { Reading } from './reading.ts';

/** Words for steps that run where others failed, in small letters and without dividers. */
const WORDS: ReadonlySet<string> = new Set([
  ...['catch', 'except', 'fallback', 'onerror', 'onexception', 'onfail', 'onfailure', 'recover', 'rescue'],
]);

export function isFailureWord(word: string): boolean {
  return WORDS.has(word.toLowerCase().replaceAll(/[-_ ]/g, ''));
}

/** The key of a step under which its steps for the case of a failure stand, as in other tools. */
export function failureKey(step: JsonObject, { isCommand }: Pick<Reading, 'isCommand'>): string | undefined {
  const isBlock = (key: string, value: Json): boolean =>
    value === null ? !isStepOption(key) : holdsSteps(value, isCommand);
  return Object.keys(step).find((key) => isFailureWord(key) && isBlock(key, step[key] ?? null));
}

function holdsSteps(value: Json, isCommand: Reading['isCommand']): boolean {
  if (typeof value === 'string') return isCommand(value);
  if (isList(value)) return value.some((each) => holdsSteps(each, isCommand));
  return isObject(value) && Object.keys(value).some((key) => isCommand(key) || isControlWord(key));
}

/** Reports such steps; the fix makes a step of them behind the one at `route`, where that is an element of a list. */
export function reportFailureBlock(key: string, step: JsonObject, route: Route, reading: Reading): undefined {
  const at = { source: reading.source, route: [...route, key], part: 'key' } as const;
  reading.report(d.failureBlock({ at, key, fixes: asNextStep(key, step, route, reading.isCommand) }));
  return undefined;
}

function asNextStep(key: string, step: JsonObject, route: Route, isCommand: Reading['isCommand']): readonly Fix[] {
  const index = route.at(-1);
  // Alone it follows the step before, which is not known here.
  if (typeof index !== 'number' || Object.keys(step).length === 1) return [];
  const id = typeof step['id'] === 'string' ? step['id'] : idAt(route);
  const steps = step[key] ?? null;
  if (steps === null)
    return [{ title: 'leave it out', safety: 'safe', operations: [{ kind: 'remove', route: [...route, key] }] }];
  const isWhole = isList(steps) && steps.every((each) => holdsSteps(each, isCommand));
  const next = { group: isWhole ? steps : [steps], when: `steps.${id}.status == "failed"` };
  const own: readonly TreeOperation[] = [
    ...(step['id'] === id ? [] : [{ kind: 'insert', route, key: 'id', value: id } as const]),
    ...failuresLeft(key, step, route),
    ...inOurWords(step, route),
    { kind: 'insert', route: route.slice(0, -1), key: index + 1, value: next },
  ];
  return [{ title: `make a step of them, behind this one`, safety: 'unsafe', operations: own }];
}

/** No other step has it: the indices of its lists. */
function idAt(route: Route): string {
  return ['attempt', ...route.filter((piece) => typeof piece === 'number')].join('_');
}

function failuresLeft(key: string, step: JsonObject, route: Route): readonly TreeOperation[] {
  const option = 'on_failure';
  const place = [...route, option];
  if (key === option) return [{ kind: 'replace', route: place, value: 'continue' }];
  const gone = { kind: 'remove', route: [...route, key] } as const;
  const goesOn = { kind: 'replace', route: place, value: 'continue' } as const;
  return [gone, Object.hasOwn(step, option) ? goesOn : { kind: 'insert', route, key: option, value: 'continue' }];
}

/** `block` and `finally` beside it are other words, too. */
function inOurWords(step: JsonObject, route: Route): readonly TreeOperation[] {
  const group = Object.keys(step).find((each) => each !== 'group' && formOfOtherWord(each) === 'group');
  const always = Object.keys(step).find((each) => keyOfOtherWord(each, CONTROL_FORMS.group) === 'always');
  return [
    ...(group === undefined ? [] : [{ kind: 'rename-key', route: [...route, group], key: 'group' } as const]),
    ...(always === undefined ? [] : [{ kind: 'rename-key', route: [...route, always], key: 'always' } as const]),
  ];
}
