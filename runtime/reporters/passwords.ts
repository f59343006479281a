import { isList, isObject, type Json } from '#schemas/types/json.ts';

const MASK = '***';
const telling = /(?:^|_)(?:pass|passwd|password|passphrase|pwd|secret)(?:_|$)/i;

function tellsOfPassword(key: string): boolean {
  return telling.test(key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('-', '_'));
}

/** A part of every name that tells of a password: nearly all texts have none. */
const hint = /pass|pwd|secret/i;

/** Whether a text may hold a password under its name. */
export function mayHoldPassword(text: string): boolean {
  return hint.test(text);
}

/** A body as reports show it: what stands under a name such as `password` is hidden, in JSON and in form fields. */
export function hidePasswords(body: string): string {
  if (!mayHoldPassword(body)) return body;
  return body
    .replace(/"([^"\\]{1,64})"(\s{0,8}:\s{0,8})"(?:[^"\\]|\\.)*"/g, (whole, key: string, between: string) =>
      tellsOfPassword(key) ? `"${key}"${between}"${MASK}"` : whole,
    )
    .replace(/(^|[&?])([^=&?\s]{1,64})=[^&\s]*/g, (whole, before: string, key: string) =>
      tellsOfPassword(key) ? `${before}${key}=${MASK}` : whole,
    );
}

/** The same for a result, in which bodies stand as texts. */
export function withoutPasswords(value: Json): Json {
  if (typeof value === 'string') return hidePasswords(value);
  if (isList(value)) return value.map(withoutPasswords);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      typeof part === 'string' && tellsOfPassword(key) ? MASK : withoutPasswords(part),
    ]),
  );
}
