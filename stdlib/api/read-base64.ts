import * as fail from '#schemas/generated/failures.ts';

/** The bytes of a base64 text, filled with `=` or left short; fails where it is none. */
export function readBase64(text: string, name: string): Uint8Array {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text))
    throw fail.apiNotBase64({ name });
  return Buffer.from(text, 'base64');
}
