import * as fail from '#schemas/generated/failures.ts';

import { HEADER_ROOM, plainHeader } from './plain-header.ts';
import { writeHeader } from './write-header.ts';
import type { TarSource } from './port.ts';

const BLOCK = 512;
const ZEROS = new Uint8Array(2 * BLOCK);

/**
 * One source after the other. Content is handed on as it is read: chunks that share one buffer are good until the next
 * one is asked for.
 */
export async function* writeMembers(
  sources: Iterable<TarSource> | AsyncIterable<TarSource>,
): AsyncGenerator<Uint8Array, void> {
  const { createTarPacker } = await import('modern-tar');
  const room = new Uint8Array(HEADER_ROOM);
  for await (const source of sources) {
    const header = plainHeader(source, room);
    if (header === undefined) yield* writeHeader(createTarPacker, source);
    else yield header;
    if (source.kind === 'file') yield* contentOf(source);
  }
  yield ZEROS;
}

async function* contentOf({ content, size, path = '' }: TarSource): AsyncGenerator<Uint8Array, void> {
  let written = 0;
  for await (const chunk of content?.() ?? []) {
    written += chunk.length;
    if (written > size) break;
    yield chunk;
  }
  if (written !== size) throw fail.archiveSourceChanged({ path });
  const padding = -size & (BLOCK - 1);
  if (padding > 0) yield ZEROS.subarray(0, padding);
}
