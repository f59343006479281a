import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a secret is the one that was asked for. Takes as long for any text: digests are compared, not texts. */
export function isSecret(given: string | undefined, wanted: string): boolean {
  return timingSafeEqual(digest(given ?? ''), digest(wanted)) && given !== undefined;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** Whether `Authorization: Bearer …` holds the secret, in UTF-8 or, as browsers send it, in Latin-1. */
export function isBearer(header: string | undefined, wanted: string): boolean {
  const token = header === undefined ? undefined : /^Bearer +(\S.*?) *$/i.exec(header)?.[1];
  const asUtf8 = token === undefined ? undefined : Buffer.from(token, 'latin1').toString('utf8');
  const isAsWritten = isSecret(token, wanted);
  return isSecret(asUtf8, wanted) || isAsWritten;
}
