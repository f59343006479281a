import { isList, type Json } from '#schemas/types/json.ts';

import { isStepOption, STEP_OPTIONS, type StepOption } from '../1-read/vocabulary.ts';

import { listed } from './fields.ts';
import { inSeconds } from './in-seconds.ts';

/** Names that step options have in other tools, in small letters and without dividers. */
const OTHER_WORDS: Readonly<Partial<Record<StepOption, readonly string[]>>> = {
  name: ['title'],
  tags: ['labels', 'tag'],
  depends_on: ['after', 'dependencies', 'needs', 'requires'],
  when: ['condition', 'onlyif', 'runif'],
  expect: ['assert', 'assertions', 'asserts', 'asserting', 'expectations', 'validate'],
  save_as: ['capture', 'captures', 'extract', 'register', 'save', 'saveto', 'store', 'storeas'],
  retry: ['retries'],
  timeout_s: ['timeout', 'timeoutms', 'timeoutseconds', 'timeoutsec'],
  on_failure: ['allowfailure', 'continueonerror', 'ignoreerror', 'ignoreerrors', 'ignorefailure', 'onerror', 'onfail'],
};

/** A step option that a key was meant to be, and the value as the option takes it. */
export interface MeantOption {
  readonly option: StepOption;
  /** Undefined where the value cannot be carried over. */
  readonly value: Json | undefined;
  /** Whether the key is the option's own name in another spelling: `dependsOn`. */
  readonly isSpelling: boolean;
}

/** The step option that a key of another tool, or in another spelling, was meant to be. */
export function optionMeant(key: string, value: Json): MeantOption | undefined {
  if (isStepOption(key)) return undefined;
  const word = plain(key);
  const spelt = STEP_OPTIONS.find((option) => plain(option) === word);
  const option = spelt ?? STEP_OPTIONS.find((each) => OTHER_WORDS[each]?.includes(word));
  if (option === undefined) return undefined;
  return { option, value: carried(option, word, value), isSpelling: spelt !== undefined };
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[-_ ]/g, '');
}

function carried(option: StepOption, word: string, value: Json): Json | undefined {
  if (option === 'timeout_s') return inSeconds(value, word.endsWith('ms') ? 0.001 : 1);
  if (option === 'on_failure') return onFailure(value);
  if ((option === 'depends_on' || option === 'tags') && typeof value === 'string') return listed(value);
  return value;
}

/** The option for a truth, also for one of YAML 1.1, which is a text here. */
function onFailure(value: Json): Json | undefined {
  if (value === 'continue' || value === 'stop') return value;
  if (typeof value !== 'boolean' && typeof value !== 'string') return undefined;
  const truth = ['true', 'yes', 'false', 'no'].indexOf(String(value).toLowerCase());
  return truth < 0 ? undefined : truth < 2 ? 'continue' : 'stop';
}

/** The value of an option under the other word that stands for it, where the option itself is not there. */
export function meantValue(option: StepOption, object: Readonly<Record<string, Json>>): Json | undefined {
  if (Object.hasOwn(object, option)) return undefined;
  for (const [key, value] of Object.entries(object)) {
    const meant = optionMeant(key, value);
    if (meant?.option === option) return meant.value;
  }
  return undefined;
}

/** Whether a value is written otherwise than it was. */
export function isOther(one: Json | undefined, other: Json): boolean {
  return isList(one) ? JSON.stringify(one) !== JSON.stringify(other) : one !== other;
}
