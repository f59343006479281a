import * as d from '#schemas/generated/diagnostics.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Retry } from '#schemas/types/plan.ts';

import {
  closed,
  count,
  given,
  isCount,
  listed,
  notOneOf,
  placeOf,
  seconds,
  waitSeconds,
  wrong,
  type Owner,
} from './fields.ts';
import { inSeconds, secondsOfUnit } from './in-seconds.ts';
import { attemptsMeant, writing, type Meant } from './meant.ts';

const KEYS = ['max_attempts', 'interval_s', 'backoff_base_s', 'backoff_cap_s', 'max_s', 'on'];
/** Names of other tools for the options, without the unit behind them; their numbers may count otherwise. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  ...{ attempt: 'max_attempts', attempts: 'max_attempts', count: 'max_attempts', limit: 'max_attempts' },
  ...{ max: 'max_attempts', max_retries: 'max_attempts', max_retry: 'max_attempts', max_tries: 'max_attempts' },
  ...{ retries: 'max_attempts', times: 'max_attempts', tries: 'max_attempts' },
  ...{ delay: 'interval_s', every: 'interval_s', interval: 'interval_s', pause: 'interval_s', sleep: 'interval_s' },
  ...{ retry_delay: 'interval_s', retry_interval: 'interval_s', wait: 'interval_s' },
  ...{ backoff: 'backoff_base_s', initial_delay: 'backoff_base_s', min_delay: 'backoff_base_s' },
  ...{ max_backoff: 'backoff_cap_s', max_delay: 'backoff_cap_s', max_interval: 'backoff_cap_s' },
  ...{ deadline: 'max_s', max_seconds: 'max_s', max_time: 'max_s', timeout: 'max_s', total: 'max_s' },
  ...{ errors: 'on', exceptions: 'on', retry_on: 'on', when: 'on' },
};

/** The option that a key stands for, and its value there: `maxRetries: 3`, `delay_ms: 200`, `timeout: 1 min`. */
function optionMeant(key: string, value: Json): readonly [option: string, value: Json] | undefined {
  const word = key
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replaceAll(/[- ]/g, '_');
  const [, stem = word, unit = 's'] = /^(\w+)_([a-z]+)$/.exec(word) ?? [];
  const factor = secondsOfUnit(unit);
  const whole = KEYS.includes(word) ? word : otherWord(word);
  const option = whole ?? (factor === undefined ? undefined : otherWord(stem));
  if (option === undefined) return undefined;
  if (!option.endsWith('_s')) return whole === undefined ? undefined : [option, value];
  const seconds = inSeconds(value, factor ?? 1);
  // `backoff: exponential` is what there is without it.
  return seconds === undefined && typeof value === 'string' ? undefined : [option, seconds ?? value];
}

function otherWord(word: string): string | undefined {
  return Object.hasOwn(OTHER_WORDS, word) ? OTHER_WORDS[word] : undefined;
}
/** Failure classes, then kinds of failure. */
const CAUSES = ['transient', 'flaky', 'environment', 'real', 'network', 'timeout', 'assertion', 'http_5xx'];

/** Names of other tools for them; a status is one of its kind. */
const OTHER_CAUSES: Readonly<Record<string, string>> = {
  ...{ '500': 'http_5xx', '502': 'http_5xx', '503': 'http_5xx', '504': 'http_5xx', '5xx': 'http_5xx' },
  ...{ server_error: 'http_5xx', connection: 'network', connectionerror: 'network', networkerror: 'network' },
  ...{ timeouts: 'timeout', timeouterror: 'timeout', timeoutexception: 'timeout', assertionerror: 'assertion' },
};

/** The field `retry` of a step or of `meta`, with its defaults filled (`compiler/language/steps.md`). */
export function retry(owner: Owner): Retry | undefined {
  const value = given(owner, 'retry');
  if (value === undefined) return undefined;
  if (isCount(value)) return { max_attempts: value, interval_s: 1 };
  if (!isObject(value)) {
    const route = [...owner.route, 'retry'];
    const limit = secondsMeant(value);
    const meant =
      limit === undefined ? attemptsMeant(value, route) : writing(route, { interval_s: 1, max_s: limit }, 'unsafe');
    return wrong(owner, ['retry'], 'an object, or a whole number from 1', value, meant);
  }
  return retryObject({ ...owner, title: 'retry', object: value, route: [...owner.route, 'retry'] }, value);
}

function retryObject(owner: Owner, written: JsonObject): Retry | undefined {
  closed(owner, KEYS, optionMeant);
  const backoff = ['backoff_base_s', 'backoff_cap_s'].find((key) => key in written);
  if ('interval_s' in written && backoff !== undefined) {
    const related = [{ ...placeOf(owner, 'interval_s'), part: 'key' as const }];
    owner.report(d.intervalAndBackoff({ at: { ...placeOf(owner, backoff), part: 'key' }, backoff, related }));
    return undefined;
  }
  const attempts = isEndless(written['max_attempts'] ?? null)
    ? wrong(owner, ['max_attempts'], 'a whole number from 1', written['max_attempts'] ?? null, bounded(owner))
    : count(owner, 'max_attempts');
  const limit = seconds(owner, 'max_s');
  const interval = waitSeconds(owner, 'interval_s');
  const causes = on(owner);
  return {
    ...(attempts === undefined ? (limit === undefined ? { max_attempts: 3 } : {}) : { max_attempts: attempts }),
    ...(interval === undefined
      ? {
          backoff_base_s: waitSeconds(owner, 'backoff_base_s') ?? 1,
          backoff_cap_s: waitSeconds(owner, 'backoff_cap_s') ?? 8,
        }
      : { interval_s: interval }),
    ...(limit === undefined ? {} : { max_s: limit }),
    ...(causes === undefined ? {} : { on: causes }),
  };
}

/** Seconds in which what is repeated without an end is given up. */
const ENOUGH_S = 60;

/** Attempts without an end, as other tools have them. */
function isEndless(value: Json): boolean {
  if (typeof value === 'number') return value < 0;
  return (
    typeof value === 'string' &&
    /^(?:always|endless(?:ly)?|forever|infinit[ey]|infinitely|inf|unlimited|∞)$/i.test(value)
  );
}

/** The time that bounds all attempts, where that was given or where there is no bound: `retry: 30s`, `forever`. */
function secondsMeant(value: Json): number | undefined {
  if (isEndless(value)) return ENOUGH_S;
  return typeof value === 'string' && /[a-z]/i.test(value) ? inSeconds(value, 1) : undefined;
}

/** The time that bounds attempts in place of their number. */
function bounded({ object, route }: Owner): Meant {
  const place = [...route, 'max_attempts'];
  if (Object.hasOwn(object, 'max_s'))
    return { fixes: [{ title: 'leave it out', safety: 'unsafe', operations: [{ kind: 'remove', route: place }] }] };
  const operations = [
    { kind: 'rename-key', route: place, key: 'max_s' },
    { kind: 'replace', route: place, value: ENOUGH_S },
  ] as const;
  return { fixes: [{ title: `write max_s: ${ENOUGH_S}`, safety: 'unsafe', operations }] };
}

function on(owner: Owner): readonly string[] | undefined {
  const value = given(owner, 'on');
  if (value === undefined) return undefined;
  if (!isList(value) || value.length === 0)
    return wrong(owner, ['on'], 'a list of failure classes and kinds', value, listMeant(value, [...owner.route, 'on']));
  const causes: string[] = [];
  for (const [index, cause] of value.entries()) {
    if (typeof cause === 'string' && CAUSES.includes(cause)) causes.push(cause);
    else notOneOf(owner, ['on', index], CAUSES, cause, OTHER_CAUSES);
  }
  return causes;
}

/** `timeout, network`, as the list that it stands for. */
function listMeant(value: Json, route: Route): Meant | undefined {
  const causes = typeof value === 'string' ? listed(value, /[\s,]+/) : [];
  return causes.length > 0 && causes.every((cause) => CAUSES.includes(cause))
    ? writing(route, causes, 'safe')
    : undefined;
}
