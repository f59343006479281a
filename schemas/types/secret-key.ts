const words = new Set([
  'PASS',
  'PASSWD',
  'PASSWORD',
  'PWD',
  'SECRET',
  'TOKEN',
  'KEY',
  'APIKEY',
  'CRED',
  'CREDENTIALS',
  'AUTH',
  'WEBHOOK',
  'DSN',
]);
const headers = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
/** Quick first test: every name that marks a secret matches it, and most other names do not. */
const telling = new RegExp(`${[...words].join('|')}|COOKIE`, 'i');

/**
 * Whether the value of an environment key is masked because of its name (`compiler/language/secrets.md`): one of its
 * `_`-separated words tells,
 * unless the whole key is PWD, or it ends as a place does (`SSH_AUTH_SOCK`, `KEY_FILE`).
 */
export function isSecretKey(key: string): boolean {
  if (!telling.test(key)) return false;
  const upper = key.toUpperCase();
  if (upper === 'PWD' || /_(?:SOCK|FILE|PATH|DIR|HOME)$/.test(upper)) return false;
  return upper.split('_').some((word) => words.has(word));
}

/** Whether the value of an HTTP header is masked in evidence because of its name. */
export function isSecretHeader(name: string): boolean {
  if (!telling.test(name)) return false;
  const lower = name.toLowerCase();
  return headers.has(lower) || lower.split(/[-_]/).some((word) => words.has(word.toUpperCase()));
}

const more = /(?:^|_)(?:credentials?|passphrase|private_?key|authorization|cookies?|bearer)(?:_|$)/i;

/**
 * Whether a key of an object, in any spelling, tells that a secret stands under it: a password, a token, a key, a
 * credential.
 */
export function tellsOfSecret(key: string): boolean {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('-', '_');
  return isSecretKey(words) || more.test(words);
}

/** Signatures that let in whoever shows them. */
const signature = /(?:^|[-_])sig(?:nature)?$/i;
/** Names of keys and tokens that are places in a list. */
const place = /^(?:next_?)?(?:page|sort|idempotency)/i;

/** Whether a name in the query of an address tells that its value lets somebody in. */
export function isSecretQuery(name: string): boolean {
  return (tellsOfSecret(name) || signature.test(name)) && !place.test(name);
}
