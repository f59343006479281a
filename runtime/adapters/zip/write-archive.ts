import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

import type { ZipSource, ZipWriteOptions } from './port.ts';
import { descriptor, ending, listed, localHeader, type Packed } from './records.ts';
import { SmallFiles } from './small-files.ts';

/** Files up to this size are packed at once: a stream for each would take longer than the packing. */
const SMALL = 256 * 1024;

/** Bytes read at once of a file that is not small. */
const CHUNK = 1024 * 1024;

/** Bytes written at once at least. */
const BLOCK = 256 * 1024;

/** Above this size the old format might have no room for what content that does not pack well becomes. */
const LARGE = 0xf000_0000;

export interface Tools {
  readonly files: Files;
  readonly compression: Ports['compression'];
}

/**
 * Streams members into an archive that appears when the last one is in; they are compressed on all processors. Times
 * are stored in UTC beside the local time of the format, and permission bits as Unix has them.
 */
export async function writeArchive(
  tools: Tools,
  path: string,
  sources: readonly ZipSource[],
  options: ZipWriteOptions,
): Promise<void> {
  const { durable, signal } = options;
  const state: { error?: unknown } = {};
  try {
    await tools.files.writeStream(path, inBlocks(archive(tools, sources, options, state)), {
      parents: true,
      durable,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    // When a source cannot be read the archive cannot be written: the cause is told, not what follows from it.
    throw 'error' in state ? state.error : error;
  }
}

/** Members behind each other, then the list of them. */
async function* archive(
  tools: Tools,
  sources: readonly ZipSource[],
  options: ZipWriteOptions,
  state: { error?: unknown },
): AsyncGenerator<Uint8Array, void> {
  const list: Uint8Array[] = [];
  let offset = 0;
  const counted = (bytes: Uint8Array): Uint8Array => {
    offset += bytes.length;
    return bytes;
  };
  const small = new SmallFiles(
    tools.files,
    sources.filter(({ path, size }) => path !== undefined && size <= SMALL),
  );
  try {
    for (const source of sources) {
      options.signal.throwIfAborted();
      const start = offset;
      const members =
        source.path === undefined || source.size <= SMALL ? whole(source, small) : streamed(tools, source, options);
      for (let next = await members.next(); ; next = await members.next()) {
        if (next.done === true) {
          list.push(listed(next.value, start));
          break;
        }
        yield counted(next.value);
      }
      if (source.size <= SMALL) options.onBytes?.(source.size);
    }
  } catch (error) {
    state.error = error;
    throw error;
  } finally {
    await small.close();
  }
  const start = offset;
  for (const record of list) yield counted(record);
  yield ending({ count: list.length, size: offset - start, offset: start });
}

function factsOf({
  name,
  mode,
  modifiedMs,
  path,
}: ZipSource): Pick<Packed, 'name' | 'mode' | 'modifiedMs' | 'isFolder' | 'isLarge'> {
  return {
    name: new TextEncoder().encode(path === undefined ? `${name}/` : name),
    mode,
    modifiedMs,
    isFolder: path === undefined,
    isLarge: false,
  };
}

/** A folder, or a file that was packed before its turn. */
async function* whole(source: ZipSource, small: SmallFiles): AsyncGenerator<Uint8Array, Packed> {
  const { bytes, ...sums } =
    source.path === undefined
      ? { bytes: new Uint8Array(), method: 0 as const, crc32: 0, size: 0 }
      : await small.take(source);
  const member: Packed = { ...factsOf(source), ...sums, packedSize: bytes.length, isStreamed: false };
  yield localHeader(member);
  yield bytes;
  return member;
}

async function* streamed(
  { files, compression }: Tools,
  source: ZipSource,
  { signal, onBytes }: ZipWriteOptions,
): AsyncGenerator<Uint8Array, Packed> {
  const { path = '', size } = source;
  const begun: Packed = {
    ...factsOf(source),
    method: 8,
    isStreamed: true,
    isLarge: size >= LARGE,
    crc32: 0,
    packedSize: 0,
    size: 0,
  };
  yield localHeader(begun);
  const packing = compression.deflate(
    noting(files.stream(path, { signal, chunk: CHUNK, reuse: true }), onBytes),
    signal,
  );
  let packedSize = 0;
  for (let next = await packing.next(); ; next = await packing.next()) {
    if (next.done === true) {
      const member: Packed = { ...begun, ...next.value, packedSize };
      if (member.size !== size) throw fail.archiveSourceChanged({ path });
      yield descriptor(member);
      return member;
    }
    packedSize += next.value.length;
    yield next.value;
  }
}

async function* noting(
  content: AsyncIterable<Uint8Array>,
  onBytes: ZipWriteOptions['onBytes'],
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of content) {
    onBytes?.(chunk.length);
    yield chunk;
  }
}

/** Small pieces together: each costs the writer a trip to the disk. */
async function* inBlocks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let gathered: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    gathered.push(piece);
    size += piece.length;
    if (size < BLOCK) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(gathered);
}
