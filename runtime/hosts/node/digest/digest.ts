import type { Hash } from 'node:crypto';

import type { Digest } from '#schemas/types/host.ts';

import { whenNeeded } from '../when-needed.ts';

/** Bytes of the functions that yield as many as one asks for. */
const free = new Map([
  ['shake128', 16],
  ['shake256', 32],
]);

/** Bytes of the result where a function has no length of its own. */
export function digestLength(algorithm: string): number | undefined {
  return free.get(algorithm.toLowerCase());
}

/** A streaming digest by its OpenSSL name; undefined where this build has none of that name. */
export function openDigest(algorithm: string, length?: number): Digest | undefined {
  const outputLength = length ?? digestLength(algorithm);
  const { createHash } = whenNeeded.crypto;
  let hash: Hash;
  try {
    hash = outputLength === undefined ? createHash(algorithm) : createHash(algorithm, { outputLength });
  } catch {
    return undefined;
  }
  return { update: (chunk) => void hash.update(chunk), hex: () => hash.digest('hex') };
}

export function digestNames(): readonly string[] {
  return whenNeeded.crypto.getHashes().sort();
}
