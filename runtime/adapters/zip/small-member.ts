import { crc32, inflateRawSync } from 'node:zlib';

import { Uint8ArrayWriter, type Entry, type FileEntry } from '@zip.js/zip.js/lib/zip-core-custom.js';

import * as fail from '#schemas/generated/failures.ts';

import { archiveFailure } from './archive-failure.ts';

/** Members up to these sizes are unpacked at once: a stream for each would take longer than the unpacking. */
const SMALL_PACKED = 64 * 1024;
const SMALL = 1024 * 1024;

const STORED = 0;
const DEFLATED = 8;

/** Checks that a member's own header says the same as the list: other programs go by the one or the other. */
export const noTwoReadings = { checkOverlappingEntry: true, checkLocalFilename: true };

export function isSmall(entry: Entry): boolean {
  const isKnown = entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED;
  return (
    isKnown &&
    !entry.directory &&
    !entry.encrypted &&
    entry.compressedSize <= SMALL_PACKED &&
    entry.uncompressedSize <= SMALL
  );
}

/** The whole content, checked like that of a stream. */
export async function readSmall(entry: FileEntry, path: string, signal: AbortSignal): Promise<Uint8Array> {
  const about = { member: entry.filename, path };
  let content: Uint8Array;
  try {
    const packed = await entry.getData(new Uint8ArrayWriter(), { ...noTwoReadings, passThrough: true, signal });
    content =
      entry.compressionMethod === STORED
        ? packed
        : inflateRawSync(packed, { maxOutputLength: Math.max(entry.uncompressedSize, 1) });
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof Error && 'code' in cause && /^(?:Z_|ERR_BUFFER_TOO_LARGE)/.test(String(cause.code))
      ? fail.zipMemberDamaged({ ...about, cause })
      : archiveFailure(cause, about);
  }
  if (content.length !== entry.uncompressedSize || (entry.crc32 !== undefined && crc32(content) !== entry.crc32))
    throw fail.zipMemberDamaged(about);
  return content;
}
