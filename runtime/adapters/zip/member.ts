import type { Entry } from '@zip.js/zip.js/lib/zip-core-custom.js';

import * as fail from '#schemas/generated/failures.ts';

import { archiveFailure } from './archive-failure.ts';
import { Channel } from './channel.ts';
import type { ZipContentOptions, ZipMember } from './port.ts';
import { isSmall, noTwoReadings, readSmall } from './small-member.ts';

export interface MemberContext {
  readonly path: string;
  readonly password: string | undefined;
}

const UNIX = 3;
/** Windows packs large files like this; Node cannot unpack it. */
const DEFLATE64 = 9;

export function memberOf(entry: Entry, context: MemberContext): ZipMember {
  const isUnix = entry.versionMadeBy >> 8 === UNIX;
  const mode = isUnix ? entry.externalFileAttributes >>> 16 : 0;
  return {
    name: entry.filename,
    kind: kindOf(entry, mode),
    size: entry.uncompressedSize,
    packedSize: entry.compressedSize,
    crc: entry.crc32,
    isEncrypted: entry.encrypted,
    mode: (mode & 0o777) === 0 ? undefined : mode & 0o777,
    modifiedMs: entry.lastModDate.getTime(),
    modifiedAt: modifiedAt(entry),
    separators: isUnix ? '/' : '/\\',
    unlock: (password) => unlock(entry, context, password),
    content: (options) => content(entry, context, options),
  };
}

function kindOf(entry: Entry, mode: number): ZipMember['kind'] {
  const type = mode & 0o170000;
  if (type === 0o120000) return 'link';
  if (entry.directory) return 'folder';
  // Info-ZIP marks what it packed from its standard input as the pipe that it was.
  const isPiped = type === 0o010000 && entry.uncompressedSize > 0;
  return type === 0 || type === 0o100000 || isPiped ? 'file' : 'other';
}

/**
 * The time of the archive itself: with a zone where it has one. Undefined where what it stores is no date: zeros,
 * mostly.
 */
function modifiedAt({
  lastModDate,
  rawLastModDate,
  extraFieldExtendedTimestamp,
  extraFieldNTFS,
}: Entry): string | undefined {
  if (extraFieldNTFS?.lastModDate !== undefined || extraFieldExtendedTimestamp?.lastModDate !== undefined)
    return lastModDate.toISOString();
  const raw = Number(rawLastModDate);
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${1980 + (raw >>> 25)}-${two((raw >>> 21) & 15)}-${two((raw >>> 16) & 31)}`;
  const text = `${date}T${two((raw >>> 11) & 31)}:${two((raw >>> 5) & 63)}:${two((raw & 31) * 2)}`;
  return Number.isNaN(Date.parse(text)) ? undefined : text;
}

async function unlock(
  entry: Entry,
  { path, password: remembered }: MemberContext,
  given: string | undefined,
): Promise<void> {
  if (!entry.encrypted || entry.directory) return;
  const password = given ?? remembered;
  if (password === undefined) throw fail.zipPasswordNeeded({ member: entry.filename, path });
  try {
    await entry.getData(new WritableStream(), { password, checkPasswordOnly: true });
  } catch (cause) {
    throw archiveFailure(cause, { path, member: entry.filename });
  }
}

async function* content(
  entry: Entry,
  context: MemberContext,
  { password, signal }: ZipContentOptions,
): AsyncGenerator<Uint8Array, void> {
  if (entry.directory) return;
  const { path } = context;
  if (entry.compressionMethod === DEFLATE64) throw fail.zipUnsupported({ member: entry.filename, path });
  if (isSmall(entry)) return yield await readSmall(entry, path, signal);
  const secret = password ?? context.password;
  if (entry.encrypted && secret === undefined) throw fail.zipPasswordNeeded({ member: entry.filename, path });
  const channel = new Channel();
  const options = { signal, ...noTwoReadings, checkCrc32: true, ...(secret !== undefined && { password: secret }) };
  const done = entry.getData(channel.writable(), options).catch((cause: unknown) => {
    channel.fail(archiveFailure(cause, { path, member: entry.filename, isClassic: entry.zipCrypto }));
  });
  let size = 0;
  for await (const chunk of channel) {
    signal.throwIfAborted();
    size += chunk.length;
    if (size > entry.uncompressedSize) throw fail.zipMemberDamaged({ member: entry.filename, path });
    yield chunk;
  }
  await done;
}
