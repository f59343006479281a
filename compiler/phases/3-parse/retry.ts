import * as d from '#schemas/generated/diagnostics.ts';
import { isList, isObject, type JsonObject } from '#schemas/types/json.ts';
import type { Retry } from '#schemas/types/plan.ts';

import { closed, count, given, isCount, notOneOf, placeOf, seconds, waitSeconds, wrong, type Owner } from './fields.ts';
import { attemptsMeant } from './meant.ts';

const KEYS = ['max_attempts', 'interval_s', 'backoff_base_s', 'backoff_cap_s', 'max_s', 'on'];
/** Names of other tools for the options; their numbers may count otherwise. */
const OTHER_WORDS = {
  attempts: 'max_attempts',
  count: 'max_attempts',
  limit: 'max_attempts',
  max_retries: 'max_attempts',
  max_tries: 'max_attempts',
  retries: 'max_attempts',
  times: 'max_attempts',
  tries: 'max_attempts',
  delay: 'interval_s',
  interval: 'interval_s',
  pause: 'interval_s',
  sleep: 'interval_s',
  wait: 'interval_s',
  backoff: 'backoff_base_s',
  backoff_s: 'backoff_base_s',
  max_backoff: 'backoff_cap_s',
  max_delay: 'backoff_cap_s',
  deadline: 'max_s',
  max_time: 'max_s',
  timeout: 'max_s',
  timeout_s: 'max_s',
};
/** Failure classes, then kinds of failure. */
const CAUSES = ['transient', 'flaky', 'environment', 'real', 'network', 'timeout', 'assertion', 'http_5xx'];

/** The field `retry` of a step or of `meta`, with its defaults filled (`compiler/language/steps.md`). */
export function retry(owner: Owner): Retry | undefined {
  const value = given(owner, 'retry');
  if (value === undefined) return undefined;
  if (isCount(value)) return { max_attempts: value, interval_s: 1 };
  if (!isObject(value)) {
    const meant = attemptsMeant(value, [...owner.route, 'retry']);
    return wrong(owner, ['retry'], 'an object, or a whole number from 1', value, meant);
  }
  return retryObject({ ...owner, title: 'retry', object: value, route: [...owner.route, 'retry'] }, value);
}

function retryObject(owner: Owner, written: JsonObject): Retry | undefined {
  closed(owner, KEYS, OTHER_WORDS);
  const backoff = ['backoff_base_s', 'backoff_cap_s'].find((key) => key in written);
  if ('interval_s' in written && backoff !== undefined) {
    const related = [{ ...placeOf(owner, 'interval_s'), part: 'key' as const }];
    owner.report(d.intervalAndBackoff({ at: { ...placeOf(owner, backoff), part: 'key' }, backoff, related }));
    return undefined;
  }
  const attempts = count(owner, 'max_attempts');
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

function on(owner: Owner): readonly string[] | undefined {
  const value = given(owner, 'on');
  if (value === undefined) return undefined;
  if (!isList(value) || value.length === 0) return wrong(owner, ['on'], 'a list of failure classes and kinds', value);
  const causes: string[] = [];
  for (const [index, cause] of value.entries()) {
    if (typeof cause === 'string' && CAUSES.includes(cause)) causes.push(cause);
    else notOneOf(owner, ['on', index], CAUSES, cause);
  }
  return causes;
}
