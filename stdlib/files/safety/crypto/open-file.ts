import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import { readEnvelope, type Envelope } from './envelope.ts';
import { CHUNK } from './seal-file.ts';

export type OpenTools = Pick<Base, 'signal'> & Pick<Ports, 'files' | 'cipher'>;
type Opener = ReturnType<Ports['cipher']['open']>;

export interface Opening {
  readonly source: string;
  readonly target: string;
  readonly key: Uint8Array;
  /** Associated data that the file must have; undefined: any. */
  readonly associated: Uint8Array | undefined;
  /** Told how long the content is, and of each piece of it. */
  readonly transfer: { expect(total: number): void; update(bytes: number): void };
}

/**
 * Decrypts a file piece by piece into a temporary one, which becomes the target once the tag has been verified: until
 * then nobody has seen a byte that was not authenticated. Yields the sizes before and after.
 */
export async function openFile(
  tools: OpenTools,
  opening: Opening,
): Promise<{ readonly ciphertext_bytes: number; readonly plaintext_bytes: number }> {
  const { files, signal } = tools;
  const { source, target } = opening;
  const envelope = await readEnvelope(files, source);
  const there = await files.find(target);
  // Content goes straight into a pipe or a device: it would be out before it is verified.
  if (there !== undefined && there.kind !== 'file' && there.kind !== 'directory')
    throw fail.specialFile({ path: target });
  await files.writeStream(target, opened(tools, opening, envelope), {
    durable: true,
    parents: true,
    signal,
    ...(there === undefined && { mode: 0o600 }),
  });
  return { ciphertext_bytes: envelope.end + envelope.tag.length, plaintext_bytes: envelope.end - envelope.contentAt };
}

async function* opened(tools: OpenTools, opening: Opening, envelope: Envelope): AsyncGenerator<Uint8Array> {
  const { source, key, transfer } = opening;
  transfer.expect(envelope.end - envelope.contentAt);
  const opener = tools.cipher.open(key, envelope.nonce);
  await authenticateAssociated(tools, opening, envelope, opener);
  for await (const chunk of range(tools, source, envelope.contentAt, envelope.end)) {
    transfer.update(chunk.length);
    yield opener.update(chunk);
  }
  if (!opener.verify(envelope.tag)) throw fail.authenticationFailed({ path: source });
}

async function authenticateAssociated(
  tools: OpenTools,
  { source, associated }: Opening,
  { associatedAt, contentAt }: Envelope,
  opener: Opener,
): Promise<void> {
  if (associated !== undefined && associated.length !== contentAt - associatedAt)
    throw fail.authenticationFailed({ path: source });
  let at = 0;
  for await (const chunk of range(tools, source, associatedAt, contentAt)) {
    if (associated !== undefined && chunk.some((byte, index) => associated[at + index] !== byte))
      throw fail.authenticationFailed({ path: source });
    opener.authenticate(chunk);
    at += chunk.length;
  }
}

function range({ files, signal }: OpenTools, path: string, start: number, end: number): AsyncIterable<Uint8Array> {
  return files.stream(path, { start, end, chunk: CHUNK, reuse: true, signal });
}
