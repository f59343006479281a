import * as fail from '#schemas/generated/failures.ts';

/** AES-256; the shorter keys of AES-128 and AES-192 only open what older programs wrote. */
const NEW_FILES = [32] as const;
const OLD_FILES = [16, 24, 32] as const;

export function keyForWriting(text: string): Uint8Array {
  return keyOf(text, NEW_FILES);
}

export function keyForReading(text: string): Uint8Array {
  return keyOf(text, OLD_FILES);
}

function keyOf(text: string, lengths: readonly number[]): Uint8Array {
  const key = bytesOf(text, 'key');
  if (!lengths.includes(key.length))
    throw fail.keyUnfit({ bytes: key.length, allowed: lengths.join(', ').replace(/, (\d+)$/, ' or $1') });
  return key;
}

/**
 * The bytes that base64 text stands for, with or without `=` at its end. The text itself is never shown: it may be
 * secret.
 */
export function bytesOf(text: string, name: string): Uint8Array {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text))
    throw fail.cryptoNotBase64({ name });
  return new Uint8Array(Buffer.from(text, 'base64'));
}

export function textOf(key: Uint8Array): string {
  return Buffer.from(key).toString('base64');
}
