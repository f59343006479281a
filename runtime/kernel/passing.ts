import { Failure } from '#schemas/types/failure.ts';

/** Answers of servers that may differ a moment later. */
const passingStatuses: ReadonlySet<unknown> = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Errors of the system, by its codes. A file that is missing or may not be read will be so the next time too. */
const networkCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'UND_ERR_SOCKET',
]);
const timeoutCodes: ReadonlySet<unknown> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const fileCodes: ReadonlySet<unknown> = new Set(['EBUSY', 'EAGAIN', 'EMFILE', 'ENFILE', 'ETXTBSY']);
/** Failures whose words say only that steps of a list failed: what counts is why. */
const WRAPPED = 'SVC80032';
const DEEPEST = 8;

/** Names of other languages for what is known here under another name. */
const foreign: Readonly<Record<string, (error: unknown) => boolean>> = {
  ConnectionError: isOfNetwork,
  TimeoutError: isOfTime,
  OSError: (error) => isOfNetwork(error) || isOfTime(error) || hasCode(error, fileCodes),
};

/** Whether trying again may help: network, time-outs, answers that ask to come back, files in use. */
export function isPassing(error: unknown): boolean {
  if (passingStatuses.has(statusOf(error))) return true;
  if (error instanceof Failure) {
    const { class: cls, kinds } = error.facts;
    if (cls !== 'real' && (cls === 'transient' || kinds.includes('network') || kinds.includes('timeout'))) return true;
    return hasCode(error, fileCodes);
  }
  return isOfNetwork(error) || isOfTime(error) || hasCode(error, fileCodes);
}

/**
 * Whether an error has one of these names: its own, its code, its class, one of its kinds, `ConnectionError`,
 * `TimeoutError` or `OSError`. Where steps of a list failed, why the first of them did.
 */
export function isNamed(error: unknown, names: readonly string[]): boolean {
  if (
    error instanceof Failure &&
    error.facts.code === WRAPPED &&
    error.options.cause !== undefined &&
    isNamed(error.options.cause, names)
  )
    return true;
  const own: readonly string[] =
    error instanceof Failure
      ? [error.facts.name, error.facts.code, error.facts.class, ...error.facts.kinds]
      : [nameOf(error), codeOf(error) ?? ''];
  return names.some((name) => own.includes(name) || (Object.hasOwn(foreign, name) && foreign[name]?.(error) === true));
}

/** The wait that an answer asked for, in milliseconds: `Retry-After` in seconds or as a date. */
export function retryAfterMs(error: unknown, now: number): number | undefined {
  const { 'retry-after': after, date } = headersOf(error);
  if (after === undefined) return undefined;
  if (/^\d+$/.test(after.trim())) return Number(after) * 1000;
  const at = Date.parse(after);
  // The server's own clock, where it tells it: this machine's may differ.
  const begin = date === undefined ? now : Date.parse(date);
  return Number.isNaN(at) || Number.isNaN(begin) ? undefined : Math.max(at - begin, 0);
}

function headersOf(error: unknown): Readonly<Record<string, string>> {
  const headers = field(resultOf(error), 'headers');
  if (typeof headers !== 'object' || headers === null) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  );
}

/** Status of the answer that an error speaks of; undefined: of none. */
export function statusOf(error: unknown): unknown {
  const result = resultOf(error);
  return field(result, 'status_code') ?? field(result, 'status');
}

/** Value that the command had when it failed: of a request, its answer with `status_code` and `headers`. */
function resultOf(error: unknown): unknown {
  return error instanceof Failure ? error.options.result : error;
}

function isOfNetwork(error: unknown): boolean {
  if (error instanceof Failure && error.facts.kinds.includes('network')) return true;
  return nameOf(error) === 'ConnectionError' || hasCode(error, networkCodes);
}

function isOfTime(error: unknown): boolean {
  if (error instanceof Failure && error.facts.kinds.includes('timeout')) return true;
  return nameOf(error) === 'TimeoutError' || hasCode(error, timeoutCodes);
}

/** Whether the error itself, or one of its causes, has one of these codes. */
function hasCode(error: unknown, codes: ReadonlySet<unknown>): boolean {
  let at: unknown = error;
  for (let depth = 0; depth < DEEPEST && at !== undefined && at !== null; depth += 1) {
    if (codes.has(codeOf(at))) return true;
    at = at instanceof Failure ? at.options.cause : field(at, 'cause');
  }
  return false;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

function codeOf(error: unknown): string | undefined {
  const code = field(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
