import type { Json } from '#schemas/types/json.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';

const MASK = '***';
const more = /(?:^|_)(?:credentials?|passphrase|private_?key|authorization|cookies?|bearer)(?:_|$)/i;

/** A value without what stands under a name that tells: a password, a secret, a token, a key, a credential. */
export function hideByKey(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideByKey);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, tells(key) ? masked(part) : hideByKey(part)]),
  );
}

function tells(key: string): boolean {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('-', '_');
  return isSecretKey(words) || more.test(words);
}

/** Whatever it holds; what is not there is no secret. */
function masked(value: Json): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(masked);
  return typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, masked(part)]))
    : MASK;
}
