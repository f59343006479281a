import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { BodyUnreadable } from './body-file.ts';
import { PhaseLimit, TimeLimit } from './deadline.ts';
import { HopError, TooLarge, type Answered } from './hop.ts';
import { UnpackedTooLarge, UnpackError } from './unpack.ts';

/** Facts about a request that broke off, for its failure. */
export interface Attempt {
  readonly method: string;
  readonly url: string;
  readonly limit: number;
  /** Address of the proxy, without login. */
  readonly proxy: string | undefined;
  /** The answer whose body cannot be used. */
  readonly answered?: Answered | undefined;
}

const certificateCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_REJECTED',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_CHAIN_TOO_LONG',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'HOSTNAME_MISMATCH',
  'PATH_LENGTH_EXCEEDED',
]);
const lostCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'ERR_HTTP2_STREAM_ERROR',
  'ERR_HTTP2_SESSION_ERROR',
]);
const unreachableCodes = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const malformedCodes = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HTTPParserError']);

/** Error codes of TLS for an answer to the first message that was none of TLS. */
const PLAIN: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_UNKNOWN_PROTOCOL',
  'ERR_SSL_HTTP_REQUEST',
]);

/**
 * Says in our words why a request had no answer. A request that the step's own signal broke off comes back as it
 * is: the kernel knows why it stopped the step.
 */
export function classify(error: unknown, attempt: Attempt): unknown {
  if (error instanceof UnpackedTooLarge) return fail.httpResponseTooLarge(tooLarge(attempt));
  if (error instanceof UnpackError)
    return fail.httpContentEncoding({
      ...who(attempt),
      encoding: error.encoding,
      reason: error.message,
      cause: error.cause,
    });
  if (!(error instanceof HopError)) return error;
  return classifyHop(error, error.answered ? { ...attempt, answered: error.answered } : attempt);
}

function classifyHop({ cause, stage }: HopError, attempt: Attempt): unknown {
  if (cause instanceof BodyUnreadable) return cause.cause;
  if (cause instanceof TooLarge) return fail.httpResponseTooLarge(tooLarge(attempt));
  if (cause instanceof TimeLimit) return fail.httpTimeout({ ...who(attempt), seconds: cause.ms / 1000, stage });
  if (cause instanceof PhaseLimit)
    return fail.httpPhaseTimeout({ ...who(attempt), phase: cause.phase, seconds: cause.ms / 1000 });
  return cause instanceof Error && codeOf(cause) !== undefined ? networkFailure(cause, stage, attempt) : cause;
}

function networkFailure(error: Error, stage: string, attempt: Attempt): Failure {
  const chain = [...causes(error)];
  const codes = chain.map(codeOf).filter((code) => code !== undefined);
  const has = (set: ReadonlySet<string>): boolean => codes.some((code) => set.has(code));
  const about = { ...who(attempt), cause: error };
  const reason = reasonOf(chain);
  if (codes.includes('UND_ERR_INVALID_ARG') && !isProxyLogin(error)) return fail.httpHeader({ reason, cause: error });
  if (attempt.proxy !== undefined && (stage === 'connect' || isProxyLogin(error)))
    return fail.httpProxy({ ...about, proxy: attempt.proxy, reason });
  if (has(certificateCodes)) return fail.httpCertificate({ ...about, reason });
  if (codes.includes('ECONNREFUSED'))
    return fail.httpConnectionRefused({ ...about, address: addressOf(chain, attempt.url) });
  if (codes.includes('ENOTFOUND') || codes.includes('EAI_AGAIN'))
    return fail.httpUnknownHost({ ...about, host: new URL(attempt.url).hostname });
  if (codes.some((code) => PLAIN.has(code)))
    return fail.httpPlainPort({ ...about, address: new URL(attempt.url).host });
  if (codes.some((code) => /^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code))) return fail.httpTls({ ...about, reason });
  if (has(unreachableCodes)) return fail.httpUnreachable({ ...about, reason });
  // Before the head has come it is the head that contradicts itself: two lengths, or one that is no number.
  if (stage === 'answer' && codes.includes('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'))
    return fail.httpMalformed({ ...about, reason });
  if (has(malformedCodes) || codes.some((code) => code.startsWith('HPE')))
    return fail.httpMalformed({ ...about, reason });
  if (has(lostCodes)) return fail.httpConnectionLost({ ...about, stage, hint: lostHint(attempt.url, stage) });
  return fail.httpTransport({ ...about, reason });
}

/** Guess at why a connection was lost: servers close one that is not of the kind they want, and do not say why. */
function lostHint(url: string, stage: string): string | undefined {
  if (stage === 'body') return undefined;
  if (url.startsWith('https:'))
    return 'Does the server ask for a client certificate (`cert`)? Some servers close the connection where none is shown.';
  return stage === 'answer' ? 'If the port speaks TLS, write https:// in the address.' : undefined;
}

function who({ method, url, answered }: Attempt): { method: string; url: string; actual?: JsonObject } {
  return { method, url, ...(answered && { actual: { ...answered } }) };
}

function tooLarge(attempt: Attempt): ReturnType<typeof who> & { limit: number } {
  return { ...who(attempt), limit: attempt.limit };
}

/** undici reports a 407 of a proxy for plain http in this form. */
function isProxyLogin(error: Error): boolean {
  return error.message.includes('(407)');
}

/** The error, its causes, and the parts of an AggregateError (one per address that was tried). */
function* causes(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 8) return;
  yield error;
  if (error instanceof AggregateError) for (const part of error.errors) yield* causes(part, depth + 1);
  yield* causes(error.cause, depth + 1);
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'HTTPParserError' ? error.name : undefined;
}

// An AggregateError has an empty message; its parts say more.
function reasonOf(chain: readonly Error[]): string {
  const speaking = chain.find(({ message }) => message !== '');
  return speaking?.message.trim() ?? codeOf(chain[0]) ?? 'unknown';
}

function addressOf(chain: readonly Error[], url: string): string {
  for (const error of chain) {
    if ('address' in error && typeof error.address === 'string' && 'port' in error && typeof error.port === 'number') {
      return error.address.includes(':') ? `[${error.address}]:${error.port}` : `${error.address}:${error.port}`;
    }
  }
  return new URL(url).host;
}
