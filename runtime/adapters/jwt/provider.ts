import { createPrivateKey } from 'node:crypto';
import type { JsonWebKeyInput, KeyObject } from 'node:crypto';

import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { JwtAlgorithm } from './port.ts';

export const provider: Provider<'jwt'> = {
  open: (context) => ({
    sign: async (claims, key, algorithm, { alg: _alg, ...header }) => {
      const { CompactSign } = await import('jose');
      const bytes = new TextEncoder().encode(key);
      const shortest = hashBytes(algorithm);
      if (algorithm.startsWith('HS') && bytes.length < shortest)
        context.notice('warning', fail.jwtSecretShort({ algorithm, length: bytes.length, wanted: shortest }).message, {
          once: `jwt-secret-short ${algorithm}`,
        });
      try {
        return await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
          .setProtectedHeader({ alg: algorithm, typ: 'JWT', ...header })
          .sign(algorithm.startsWith('HS') ? bytes : privateKey(key));
      } catch (cause) {
        throw fail.jwtKey({ algorithm, reason: reasonOf(cause) });
      }
    },
  }),
};

/** Bytes of the hash of an algorithm: an HMAC secret that is shorter can be guessed sooner than the hash (RFC 7518). */
function hashBytes(algorithm: JwtAlgorithm): number {
  return algorithm === 'EdDSA' ? 64 : Number(algorithm.slice(2)) / 8;
}

function privateKey(text: string): KeyObject {
  if (text.trimStart().startsWith('{'))
    return createPrivateKey({ key: JSON.parse(text) as JsonWebKeyInput['key'], format: 'jwk' });
  return createPrivateKey(text);
}

/** The library's words without the key: Node names the routine of OpenSSL, never the text. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'its JSON cannot be read';
  return error instanceof Error ? error.message : String(error);
}
