declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly cipher: Cipher;
  }
}

/** AES-GCM piece by piece, and keys from passwords. Keys have 16, 24 or 32 bytes, nonces 12, tags 16. */
export interface Cipher {
  seal(key: Uint8Array, nonce: Uint8Array): Sealer;
  open(key: Uint8Array, nonce: Uint8Array): Opener;
  /** PBKDF2 with HMAC-SHA256, off the main thread. Rejects with the signal's reason when that is aborted. */
  deriveKey(password: Uint8Array, salt: Uint8Array, options: Derivation): Promise<Uint8Array>;
}

export interface Derivation {
  readonly iterations: number;
  readonly bytes: number;
  readonly signal: AbortSignal;
}

interface Piecewise {
  /** Data that is authenticated and not encrypted, in pieces, before the first `update`. */
  authenticate(data: Uint8Array): void;
  /** The same number of bytes. They are good until the next call: their memory is given back then. */
  update(chunk: Uint8Array): Uint8Array;
}

export interface Sealer extends Piecewise {
  /** The tag. */
  finish(): Uint8Array;
}

export interface Opener extends Piecewise {
  /** Whether all that went through is what was sealed with this tag. Until then nothing of it may be trusted. */
  verify(tag: Uint8Array): boolean;
}
