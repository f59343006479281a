import { browserCertificateRefused, browserHostUnknown, navigationFailed } from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';

/** A page that could not be fetched, by the browser's own word for the reason. */
export function unreachable(url: string, word: string, cause?: unknown): Failure {
  const reason = word.replace(/^net::/, '');
  const facts = { url, reason, ...(cause === undefined ? {} : { cause }) };
  if (/^ERR_CERT_|SEC_ERROR_|MOZILLA_PKIX_|SSL_ERROR_BAD_CERT/.test(reason)) return browserCertificateRefused(facts);
  return /NAME_NOT_RESOLVED|SOCKS_CONNECTION_HOST_UNREACHABLE|dnsNotFound|UNKNOWN_HOST/.test(reason)
    ? browserHostUnknown(facts)
    : navigationFailed(facts);
}
