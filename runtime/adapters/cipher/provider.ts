import { createCipheriv, createDecipheriv, pbkdf2 } from 'node:crypto';

import type { Provider } from '#runtime/kernel/ports.ts';

import type { Cipher, Derivation, Opener, Sealer } from './port.ts';

const TAG_BYTES = 16;

export const provider: Provider<'cipher'> = { open: () => cipher };

/** Holds nothing: one serves everybody. */
export const cipher: Cipher = { seal, open, deriveKey };

function seal(key: Uint8Array, nonce: Uint8Array): Sealer {
  const cipher = createCipheriv(nameFor(key), key, nonce, { authTagLength: TAG_BYTES });
  return {
    authenticate: (data) => void cipher.setAAD(data),
    update: givingBack((chunk) => cipher.update(chunk)),
    finish: () => {
      cipher.final();
      return cipher.getAuthTag();
    },
  };
}

function open(key: Uint8Array, nonce: Uint8Array): Opener {
  const decipher = createDecipheriv(nameFor(key), key, nonce, { authTagLength: TAG_BYTES });
  return {
    authenticate: (data) => void decipher.setAAD(data),
    update: givingBack((chunk) => decipher.update(chunk)),
    verify: (tag) => {
      try {
        decipher.setAuthTag(tag).final();
        return true;
      } catch {
        return false;
      }
    },
  };
}

function nameFor(key: Uint8Array): 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm' {
  return key.length === 32 ? 'aes-256-gcm' : key.length === 24 ? 'aes-192-gcm' : 'aes-128-gcm';
}

/**
 * Node makes a new buffer for each piece. Detaching the last one frees it at once; left to the collector they pile up to
 * three times the memory of the whole process, and each fresh page costs more time than the cipher.
 */
function givingBack(update: (chunk: Uint8Array) => Buffer): (chunk: Uint8Array) => Uint8Array {
  let last: Buffer | undefined;
  return (chunk) => {
    // A small buffer is part of a pool that others use.
    if (last && last.byteLength === last.buffer.byteLength && last.buffer instanceof ArrayBuffer) last.buffer.transfer(0);
    last = update(chunk);
    return last;
  };
}

async function deriveKey(password: Uint8Array, salt: Uint8Array, { iterations, bytes, signal }: Derivation): Promise<Uint8Array> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    pbkdf2(password, salt, iterations, bytes, 'sha256', (error, key) => {
      signal.removeEventListener('abort', stop);
      if (error) reject(error);
      else resolve(key);
    });
  });
}
