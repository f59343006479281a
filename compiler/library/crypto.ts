import { call } from '#compiler/engine/call.ts';

/** Length of a key. */
export interface KeyOptions {
  /** Length of the key; 256 by default. */
  readonly bits?: 128 | 192 | 256;
}

/** Options for the cost of guessing a password. */
export interface PasswordKeyOptions extends KeyOptions {
  /** Rounds of PBKDF2; 200000 by default, 600000 are recommended. */
  readonly iterations?: number;
  /** Takes fewer than 100000 rounds. */
  readonly force?: boolean;
}

/** A random key, base64. */
export function generate_key(options: KeyOptions = {}): Promise<string> {
  return call('FA_generate_key', options);
}

/** The key that a password and a salt (base64, at least 16 bytes) give everywhere: PBKDF2 with HMAC-SHA256, base64. */
export function key_from_password(password: string, salt: string, options: PasswordKeyOptions = {}): Promise<string> {
  return call('FA_key_from_password', { password, salt, ...options });
}
