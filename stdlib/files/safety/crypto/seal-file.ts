import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { sourceAtRest } from '#stdlib/files/source-at-rest.ts';

import { headOf, NONCE_BYTES, OVERHEAD } from './envelope.ts';

export type SealTools = Pick<Base, 'signal'> & Pick<Ports, 'files' | 'cipher' | 'random'>;

export interface Sealing {
  readonly source: string;
  readonly target: string;
  readonly key: Uint8Array;
  readonly associated: Uint8Array;
  /** Told of each piece of the source: so many bytes more. */
  readonly onBytes: (bytes: number) => void;
}

/** Beyond it the counter of the mode begins again, and with it the key stream. */
export const MOST_BYTES = 2 ** 36 - 32;
/**
 * Large enough that a trip to the disk costs little beside the work, small enough that the process stays below 64 MiB.
 */
export const CHUNK = 512 * 1024;

/**
 * Encrypts a file piece by piece; the target appears whole, on the disk, readable by its owner. Yields the bytes of the
 * source.
 */
export async function sealFile(tools: SealTools, sealing: Sealing): Promise<number> {
  const { files, signal } = tools;
  let total = 0;
  const count = (bytes: number): void => {
    total += bytes;
    sealing.onBytes(bytes);
    if (total > MOST_BYTES) throw fail.cipherLimit({ path: sealing.source, limit: MOST_BYTES });
  };
  await files.writeStream(sealing.target, sealed(tools, sealing, count), {
    durable: true,
    parents: true,
    mode: 0o600,
    signal,
  });
  return total;
}

async function* sealed(
  { files, cipher, random, signal }: SealTools,
  { source, key, associated }: Sealing,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const nonce = random.bytes(NONCE_BYTES);
  const sealer = cipher.seal(key, nonce);
  if (associated.length > 0) sealer.authenticate(associated);
  yield headOf(nonce, associated);
  for await (const chunk of sourceAtRest(files, source, { chunk: CHUNK, signal })) {
    count(chunk.length);
    yield sealer.update(chunk);
  }
  yield sealer.finish();
}

export function sealedBytes(plain: number, associated: Uint8Array): number {
  return plain + OVERHEAD + associated.length;
}
