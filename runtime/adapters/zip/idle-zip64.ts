import type { Entry } from '@zip.js/zip.js/lib/zip-core-custom.js';

import type { OpenFile } from '#schemas/types/host.ts';

/** Lengths of the records behind the list of members: the ZIP64 one, its locator, and the end without a comment. */
const RECORD = 56;
const LOCATOR = 20;
const END = 22;

/**
 * Whether only a ZIP64 record stands between the list of members and the end, and says what the end says. Info-ZIP
 * writes one into every archive that goes to a pipe.
 */
export async function hasIdleZip64(file: OpenFile, entries: readonly Entry[]): Promise<boolean> {
  const length = Math.min(file.size, RECORD + LOCATOR + END + 0xffff);
  const tail = Buffer.from(await file.readAt(file.size - length, length));
  const end = endIn(tail);
  if (end === undefined || end < RECORD + LOCATOR) return false;
  const count = tail.readUInt16LE(end + 10);
  const size = tail.readUInt32LE(end + 12);
  const offset = tail.readUInt32LE(end + 16);
  const locator = end - LOCATOR;
  const record = locator - RECORD;
  return (
    tail.readUInt32LE(locator) === 0x07064b50 &&
    tail.readBigUInt64LE(locator + 8) === BigInt(offset + size) &&
    tail.readUInt32LE(record) === 0x06064b50 &&
    tail.readBigUInt64LE(record + 4) === BigInt(RECORD - 12) &&
    tail.readBigUInt64LE(record + 32) === BigInt(count) &&
    tail.readBigUInt64LE(record + 40) === BigInt(size) &&
    tail.readBigUInt64LE(record + 48) === BigInt(offset) &&
    file.size - length + record === offset + size &&
    count === entries.length &&
    size === entries.reduce((sum, entry) => sum + listedLength(entry), 0)
  );
}

/** Place of the end record, whose comment reaches to the end of the file. */
function endIn(tail: Buffer): number | undefined {
  for (let at = tail.length - END; at >= 0; at -= 1)
    if (tail.readUInt32LE(at) === 0x06054b50 && at + END + tail.readUInt16LE(at + 20) === tail.length) return at;
  return undefined;
}

/** Bytes that a member takes in the list. */
function listedLength({ rawFilename, rawExtraField, rawComment }: Entry): number {
  return 46 + rawFilename.length + rawExtraField.length + rawComment.length;
}
