import type { Json } from '#schemas/types/json.ts';
import { tellsOfSecret } from '#schemas/types/secret-key.ts';

const MASK = '***';

/** A value without what stands under a name that tells: a password, a secret, a token, a key, a credential. */
export function hideByKey(value: Json): Json {
  if (Array.isArray(value)) return value.map(hideByKey);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, tellsOfSecret(key) ? masked(part) : hideByKey(part)]),
  );
}

/** Whatever it holds; what is not there is no secret. */
function masked(value: Json): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(masked);
  return typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, masked(part)]))
    : MASK;
}
