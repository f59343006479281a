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
    update: inPieces((piece) => cipher.update(piece)),
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
    update: inPieces((piece) => decipher.update(piece)),
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
 * Node makes a new buffer for each piece. Larger ones are asked of the system and given back to it each time, which
 * costs more than the cipher; these come out of the memory that the process has.
 */
const PIECE = 64 * 1024;

/** Feeds `update` in pieces; its output is gathered in one buffer, which the next call uses again. */
function inPieces(update: (piece: Uint8Array) => Buffer): (chunk: Uint8Array) => Uint8Array {
  let whole = new Uint8Array();
  return (chunk) => {
    if (whole.length < chunk.length) whole = new Uint8Array(chunk.length);
    for (let at = 0; at < chunk.length; at += PIECE) {
      const piece = update(chunk.subarray(at, at + PIECE));
      whole.set(piece, at);
      giveBack(piece);
    }
    return whole.subarray(0, chunk.length);
  };
}

/**
 * Detaching a buffer frees it at once: left to the collector they pile up to three times the memory of the whole
 * process.
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  // A small one is part of a pool that others use.
  if (byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

async function deriveKey(
  password: Uint8Array,
  salt: Uint8Array,
  { iterations, bytes, signal }: Derivation,
): Promise<Uint8Array> {
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
