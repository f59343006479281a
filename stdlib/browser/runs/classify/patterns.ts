/** Texts longer than this (characters) are looked at up to here. */
const LOOKED_AT = 100_000;

/** Mistakes of the test itself, in the words that drivers put behind their general exception. */
const mistakeOfTheTest =
  /invalid (?:argument|selector|xpath|element state|cookie domain)|no such (?:element|frame|window|alert|cookie|shadow root)|not interactable|click intercepted|javascript error|unknown command|unsupported operation|unable to set cookie|unexpected alert open/i;

/** Goes away by itself: worth another try. Tried first. */
const transient: readonly RegExp[] = [
  /\bConnectionRefused|\bECONNREFUSED\b|\bERR_CONNECTION_REFUSED\b/,
  /\bConnectionReset|\bECONNRESET\b|\bERR_CONNECTION_(?:RESET|CLOSED|ABORTED|TIMED_OUT)\b/,
  /\bconnection (?:was )?(?:refused|reset)\b/i,
  /\b(?:ETIMEDOUT|ESOCKETTIMEDOUT|EPIPE|ECONNABORTED|ENETRESET|EHOSTUNREACH|ENETUNREACH|ENETDOWN)\b/,
  /\bUND_ERR_(?:CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT|SOCKET|CLOSED)\b/,
  /\bERR_(?:TIMED_OUT|NETWORK_CHANGED|EMPTY_RESPONSE|HTTP2_PROTOCOL_ERROR|QUIC_PROTOCOL_ERROR|INTERNET_DISCONNECTED|NETWORK_IO_SUSPENDED)\b/,
  /\bTimeoutError\b|\bsocket hang up\b|\bbroken pipe\b|\bother side closed\b|\bpremature close\b/i,
  /\b(?:connection|connect|request|read|socket|operation|gateway|handshake) timed out\b|\btime(?:d)? ?out (?:of \S+ )?(?:exceeded|waiting for)/i,
  /\b(?:StaleElementReference|Stale Element Reference)/i,
  /\b(?:502 Bad Gateway|503 Service Unavailable|504 Gateway Time-?out|429 Too Many Requests)\b/i,
  /\b(?:disconnected: (?:not connected|unable to connect)|(?:chrome|browser) not reachable|page crash|tab crashed|target closed|session deleted because of page crash|browser has been closed|browser has disconnected)/i,
  /\b(?:deadlock (?:detected|found)|could not serialize access|database is locked|lock wait timeout|server closed the connection unexpectedly|lost connection to)/i,
  /\btemporar(?:y|ily) (?:failure|unavailable)\b|\btry again later\b/i,
];

/** Wrong with the machine or what surrounds the test. Tried second. */
const environment: readonly RegExp[] = [
  /\b(?:ENOSPC|EDQUOT|EMFILE|ENFILE|ENOMEM|EROFS)\b|No space left on device|disk quota exceeded|too many open files|read-only file system/i,
  /MemoryError|heap out of memory|out of memory|Cannot allocate memory|ERR_INSUFFICIENT_RESOURCES/i,
  /(?:chrome|gecko|edge|safari|msedge)driver.{0,80}not.{0,80}found|session not created|only supports (?:chrome|firefox|edge) version/i,
  /\b(?:browser|chrome|chromium|firefox|executable)\b.{0,80}(?:not found|doesn't exist|does not exist|cannot find)/i,
  /DNS lookup failed|\b(?:ENOTFOUND|EAI_AGAIN|EAI_FAIL|ERR_NAME_NOT_RESOLVED|ERR_DNS_[A-Z_]+)\b|name or service not known|could not resolve host/i,
  /\bEADDRINUSE\b|address already in use|\bEADDRNOTAVAIL\b/i,
  /\b(?:command not found|spawn \S+ ENOENT|error while loading shared libraries|cannot open display|missing X server)/i,
  /\b(?:CERT_HAS_EXPIRED|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|ERR_CERT_[A-Z_]+|ERR_TLS_CERT_ALTNAME_INVALID)\b/,
  /\b(?:ERR_PROXY_CONNECTION_FAILED|ERR_TUNNEL_CONNECTION_FAILED|ERR_ADDRESS_UNREACHABLE|407 Proxy Authentication Required)\b/i,
  /\b(?:EACCES|EPERM)\b|permission denied/i,
];

/** The class that an error text shows by itself, and the words that show it. */
export interface Shown {
  readonly kind: 'transient' | 'environment';
  readonly words: string;
}

/** Undefined where a text shows no class. */
export function classOfText(text: string | null | undefined): Shown | undefined {
  const looked = (text ?? '').slice(0, LOOKED_AT);
  const words = firstMatch(transient, looked);
  if (words !== undefined) return { kind: 'transient', words };
  const wrong = firstMatch(environment, looked);
  if (wrong !== undefined) return { kind: 'environment', words: wrong };
  const [general] = mistakeOfTheTest.test(looked) ? [] : (/\bWebDriverException/.exec(looked) ?? []);
  return general === undefined ? undefined : { kind: 'transient', words: general };
}

function firstMatch(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const [words] = pattern.exec(text) ?? [];
    if (words !== undefined) return words;
  }
  return undefined;
}
