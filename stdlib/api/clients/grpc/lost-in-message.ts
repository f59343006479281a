import type { Json } from '#schemas/types/json.ts';

/**
 * Mistake in a message, found in what its bytes say: the package leaves unknown fields out and makes something of any
 * value, so that "abc" is sent as 0. Undefined: all of it is sent as it was given.
 */
export function lostInMessage(given: Json, sent: Json | undefined, path = ''): string | undefined {
  // A field that is null is not sent.
  if (given === null) return undefined;
  if (sent === undefined) return `a message has no field "${path}"`;
  if (Array.isArray(given)) return lostInList(given as readonly Json[], sent, path);
  if (typeof given === 'object') return lostInParts(Object.entries(given), sent, path);
  return isSame(given, sent) ? undefined : `the field "${path}" does not take ${JSON.stringify(given)}`;
}

function lostInList(given: readonly Json[], sent: Json, path: string): string | undefined {
  // Bytes may be given as numbers.
  if (typeof sent === 'string')
    return given.every((one, index) => one === Buffer.from(sent, 'base64')[index])
      ? undefined
      : `the field "${path}" does not take ${JSON.stringify(given)}`;
  if (!Array.isArray(sent)) return `the field "${path}" does not take a list`;
  const gap = given.indexOf(null);
  return gap < 0
    ? lostInParts(Object.entries(given), sent as Json, path)
    : `the field "${path}.${gap}" does not take null`;
}

function lostInParts(
  parts: readonly (readonly [key: string, value: Json | undefined])[],
  sent: Json,
  path: string,
): string | undefined {
  if (typeof sent !== 'object' || sent === null) return `the field "${path}" does not take an object`;
  const fields = sent as Readonly<Record<string, Json>>;
  for (const [key, value] of parts) {
    const mistake = lostInMessage(
      value ?? null,
      Object.hasOwn(fields, key) ? fields[key] : undefined,
      path === '' ? key : `${path}.${key}`,
    );
    if (mistake !== undefined) return mistake;
  }
  return undefined;
}

function isSame(given: string | number | boolean, sent: Json): boolean {
  if (typeof given === 'boolean' || typeof sent === 'boolean') return given === sent;
  if (typeof sent !== 'string' && typeof sent !== 'number') return false;
  if (String(given) === String(sent)) return true;
  // A value of an enumeration may be given by its number.
  if (typeof sent === 'string' && Number.isNaN(Number(sent))) return Number.isInteger(given);
  if (typeof given === 'string' && given.trim() === '') return false;
  // Numbers of 32 bits keep seven digits; one that is too large for them would be endless.
  return Number(given) === Number(sent) || (Number.isFinite(sent) && Math.fround(Number(given)) === sent);
}
