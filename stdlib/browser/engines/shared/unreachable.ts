import { browserHostUnknown, navigationFailed } from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

/** A page that could not be fetched, by the browser's own word for the reason. */
export function unreachable(url: string, reason: string, cause?: unknown): Failure {
  const facts = { url, reason, ...(cause === undefined ? {} : { cause }) };
  return /NAME_NOT_RESOLVED|SOCKS_CONNECTION_HOST_UNREACHABLE|dnsNotFound|UNKNOWN_HOST/.test(reason)
    ? browserHostUnknown(facts)
    : navigationFailed(facts);
}
