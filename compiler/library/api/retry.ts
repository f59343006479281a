import { nodeHost } from '#runtime/hosts/node.ts';
import { retryAfterMs, statusOf } from '#runtime/kernel/passing.ts';
import { Failure } from '#schemas/types/failure.ts';

import { warn } from '../warn.ts';

/** Rules by which a failing call is repeated. */
export interface RetryPolicy {
  /** The first call included. */
  readonly max_attempts: number;
  readonly initial_delay_seconds: number;
  readonly backoff_factor: number;
  readonly max_delay_seconds: number;
  /** Delays are between half and all of what the formula says. */
  readonly jitter: boolean;
  /** Names of errors, or of classes above theirs, and statuses of answers (429) that are tried again. */
  readonly retry_on: readonly (string | number)[];
}

type Before<List extends readonly unknown[]> = List extends readonly [...infer First, unknown] ? First : List;
type Last<List extends readonly unknown[]> = List extends readonly [...unknown[], infer One] ? One : object;

/** A server that asks to come back later than this (s) is not waited for. */
const LONGEST_ASKED_S = 3600;

const DEFAULTS: RetryPolicy = {
  max_attempts: 3,
  initial_delay_seconds: 0.5,
  backoff_factor: 2,
  max_delay_seconds: 30,
  jitter: true,
  retry_on: ['Error'],
};

/**
 * Seconds until the next attempt, after `attempt` (from 1) has failed: `min(initial · factor^(attempt − 1), max)`,
 * jittered.
 */
export function compute_delay(
  attempt: number,
  { policy }: { readonly policy?: Partial<RetryPolicy> | null } = {},
): number {
  const { initial_delay_seconds: initial, backoff_factor: factor, max_delay_seconds: most, jitter } = complete(policy);
  if (!Number.isInteger(attempt) || attempt < 1) throw new RangeError('attempt must be a whole number from 1 on');
  const full = Math.min(initial * factor ** (attempt - 1), most);
  return jitter ? full * (0.5 + Math.random() / 2) : full;
}

/**
 * Calls a function until it succeeds, and yields its value; `kwargs` follow `args` as one object. Errors that the
 * policy does not name, and the last one, are thrown unchanged. An answer that asks by `Retry-After` for a longer wait
 * gets it; one that asks for more than an hour is not waited for.
 */
export async function retry_call<Given extends readonly unknown[], Result>(
  func: (...args: Given) => Result | Promise<Result>,
  {
    args,
    kwargs,
    policy,
    signal,
  }: {
    readonly args?: Given | Before<Given> | null;
    readonly kwargs?: Last<Given> | null;
    readonly policy?: Partial<RetryPolicy> | null;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Result> {
  const { max_attempts: most, retry_on: names } = complete(policy);
  const given = [...(args ?? []), ...(kwargs ? [kwargs] : [])] as unknown as Given;
  for (let attempt = 1; ; attempt++) {
    try {
      return await func(...given);
    } catch (error) {
      if (attempt >= most || !namesOf(error).some((name) => names.includes(name))) throw error;
      const asked = (retryAfterMs(error, Date.now()) ?? 0) / 1000;
      if (asked > LONGEST_ASKED_S) throw error;
      const delay = Math.max(compute_delay(attempt, { policy: policy ?? null }), asked);
      warn(
        `attempt ${attempt} of ${most} failed (${String(error)}); the next one in ${delay.toFixed(3)} s`,
        'RetryWarning',
      );
      await nodeHost().clock.sleep(delay * 1000, signal ?? new AbortController().signal);
    }
  }
}

function complete(policy: Partial<RetryPolicy> | null | undefined): RetryPolicy {
  const said = Object.entries(policy ?? {}).filter(([, value]) => value !== undefined);
  const unknown = said.find(([name]) => !Object.hasOwn(DEFAULTS, name));
  if (unknown) throw new RangeError(`a policy has no "${unknown[0]}"; it has ${Object.keys(DEFAULTS).join(', ')}`);
  const full: RetryPolicy = { ...DEFAULTS, ...Object.fromEntries(said) };
  const wrong =
    !Number.isInteger(full.max_attempts) ||
    full.max_attempts < 1 ||
    !(full.initial_delay_seconds >= 0) ||
    !(full.backoff_factor >= 1) ||
    !(full.max_delay_seconds >= 0) ||
    !Array.isArray(full.retry_on) ||
    full.retry_on.length === 0;
  if (wrong) throw new RangeError('max_attempts from 1, delays from 0, backoff_factor from 1, retry_on with a name');
  return full;
}

/**
 * Whether the specification sets `APITesterException` above the failure's own name: it is one of requests or checks.
 */
function isOfRequests(error: Error): boolean {
  if (!(error instanceof Failure)) return false;
  const { code, name } = error.facts;
  return code.startsWith('SVC83') || /^(?:API|CallbackExecutor|MockServer|RequestRecord)[A-Z]/.test(name);
}

/** Name of an error, and of every class above its own; the status of the answer that it speaks of. */
function namesOf(error: unknown): readonly (string | number)[] {
  const names: (string | number)[] = error instanceof Error ? [error.name] : [];
  if (error instanceof Error && isOfRequests(error)) names.push('APITesterException');
  const status = statusOf(error);
  if (typeof status === 'number') names.push(status);
  for (let at: unknown = error; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at))
    if (at.constructor?.name) names.push(at.constructor.name);
  return names;
}
