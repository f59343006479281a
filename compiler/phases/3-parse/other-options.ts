import { isList, isObject, type Json } from '#schemas/types/json.ts';

import { isStepOption, STEP_OPTIONS, type StepOption } from '../1-read/vocabulary.ts';

import { listed } from './fields.ts';
import { inSeconds, secondsOfUnit } from './in-seconds.ts';
import { truthOfWord } from './meant.ts';
import { onFailureMeant } from './words-for-failures.ts';

/** Names that step options have in other tools, in small letters and without dividers. */
const OTHER_WORDS: Readonly<Partial<Record<StepOption, readonly string[]>>> = {
  name: ['comment', 'desc', 'description', 'label', 'title'],
  tags: ['labels', 'tag'],
  depends_on: ['after', 'dependencies', 'needs', 'requires'],
  when: [
    ...['condition', 'onlyif', 'onlywhen', 'runif', 'enabled', 'enable'],
    // These say when not.
    ...['disable', 'disabled', 'skip', 'skipif', 'skipped', 'unless'],
  ],
  expect: [
    ...['match', 'response', 'assert', 'assertions', 'asserts', 'expectations', 'expected', 'validate'],
    // These say what is a failure, and which status an answer has.
    ...['check', 'checks', 'must', 'should', 'tests', 'verify'],
    ...['failedwhen', 'failif', 'failwhen', 'expectedstatus', 'expectstatus', 'status', 'statuscode'],
  ],
  save_as: ['as', 'into', 'capture', 'captures', 'extract', 'register', 'save', 'saveto', 'store', 'storeas'],
  retry: ['attempts', 'maxattempts', 'maxretries', 'retries', 'retrycount'],
  timeout_s: ['timeout'],
  on_failure: [
    ...['allowfailure', 'allowfailures', 'continueonerror', 'continueonfail', 'continueonfailure', 'ignoreerror'],
    ...['ignoreerrors', 'ignorefailure', 'ignorefailures', 'onerror', 'onfail'],
    // These say when it stops.
    ...['exitonfailure', 'failfast', 'stoponerror', 'stoponfailure'],
  ],
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
  const option =
    spelt ??
    STEP_OPTIONS.find((each) => OTHER_WORDS[each]?.includes(word)) ??
    (unitOf(word) === undefined ? undefined : 'timeout_s');
  if (option === undefined) return undefined;
  return { option, value: carried(option, word, value), isSpelling: spelt !== undefined };
}

/** Sections of Hurl stand in brackets. */
function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[-_ [\]]/g, '');
}

function carried(option: StepOption, word: string, value: Json): Json | undefined {
  if (option === 'timeout_s') return inSeconds(value, unitOf(word) ?? 1);
  if (option === 'on_failure') return onFailureMeant(value, STOPS.has(word));
  if (option === 'when') return condition(value, DENIES.has(word));
  if (option === 'expect') return expectation(word, value);
  if (option === 'save_as') return capturesOfQueries(value);
  if ((option === 'depends_on' || option === 'tags') && typeof value === 'string') return listed(value);
  return value;
}

/** Seconds of the unit in `timeout-minutes`. */
function unitOf(word: string): number | undefined {
  return word.startsWith('timeout') ? secondsOfUnit(word.slice('timeout'.length)) : undefined;
}

/** Words for a condition under which the step does not run, and for what is a failure. */
const DENIES: ReadonlySet<string> = new Set(['disable', 'disabled', 'skip', 'skipif', 'skipped', 'unless']);
const FAILS: ReadonlySet<string> = new Set(['failedwhen', 'failif', 'failwhen']);
const STOPS: ReadonlySet<string> = new Set(['exitonfailure', 'failfast', 'stoponerror', 'stoponfailure']);

/** The condition, or its opposite; a reason why a step is skipped is none. */
function condition(value: Json, isDenied: boolean): Json | undefined {
  const truth = typeof value === 'boolean' ? value : truthOfWord(value);
  if (truth !== undefined) return truth !== isDenied;
  if (!isDenied) return value;
  return typeof value === 'string' && /[=<>().{]/.test(value) ? `!(${value})` : undefined;
}

function expectation(word: string, value: Json): Json | undefined {
  if (FAILS.has(word)) return typeof value === 'string' ? `!(${value})` : undefined;
  if (!word.includes('status')) return value;
  return typeof value === 'number' ? `result.status_code == ${value}` : undefined;
}

/** Captures of Hurl, `{id: jsonpath "$.id"}`, as paths of the answer; other values stay. */
function capturesOfQueries(value: Json): Json {
  const queries = isObject(value) ? Object.entries(value) : [];
  const captures = queries.map(([name, query]) => {
    const [, path, header] = /^(?:jsonpath "\$([\w.[\]]*)"|header ("[^"]+"))$/.exec(String(query)) ?? [];
    return { name, path: path === undefined ? header && `headers[${header}]` : `json${path}` };
  });
  const isWhole = captures.length > 0 && captures.every(({ path }) => path !== undefined);
  return isWhole ? captures.map(({ name, path = '' }) => ({ name, path })) : value;
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
