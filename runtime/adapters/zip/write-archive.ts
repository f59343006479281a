import { crc32, deflateRawSync } from 'node:zlib';

import { Uint8ArrayReader, ZipWriter, configure, type ZipWriterAddDataOptions } from '@zip.js/zip.js/lib/zip-core-custom.js';

import type { Files } from '#schemas/types/host.ts';

import { Channel } from './channel.ts';
import type { ZipSource, ZipWriteOptions } from './port.ts';

/** The level at which the platform's own compressor is used. */
const LEVEL = 6;

/** Files up to this size are packed at once: a stream for each would take longer than the packing. */
const SMALL = 64 * 1024;

/** Small files that are read before their turn. */
const AHEAD = 8;

/**
 * Streams members into an archive that appears when the last one is in. Times are stored in UTC beside the local time of the
 * format, and permission bits as Unix has them.
 */
export async function writeArchive(files: Files, path: string, sources: readonly ZipSource[], { durable, signal }: ZipWriteOptions): Promise<void> {
  configure({ useWebWorkers: false });
  const channel = new Channel();
  const reading: SourceState = {};
  const packing = pack(files, sources, channel.writable(), signal, reading).catch((error: unknown) => {
    channel.fail(error);
    throw error;
  });
  const [packed, written] = await Promise.allSettled([packing, files.writeStream(path, channel, { parents: true, durable, signal })]);
  signal.throwIfAborted();
  // When a source cannot be read the archive cannot be written, and the other way round: the cause is told, not what follows from it.
  if (reading.error !== undefined) throw reading.error as Error;
  if (written.status === 'rejected') throw written.reason;
  if (packed.status === 'rejected') throw packed.reason;
}

interface SourceState {
  error?: unknown;
}

async function pack(files: Files, sources: readonly ZipSource[], writable: WritableStream<Uint8Array>, signal: AbortSignal, state: SourceState): Promise<void> {
  const writer = new ZipWriter(writable, { level: LEVEL, signal });
  const ahead = new Map<ZipSource, Promise<Uint8Array>>();
  for (const [index, source] of sources.entries()) {
    signal.throwIfAborted();
    readAhead(files, sources, index, ahead);
    const facts = { lastModDate: new Date(source.modifiedMs), unixMode: source.mode };
    if (source.path === undefined) {
      await writer.add(`${source.name}/`, undefined, { ...facts, directory: true });
    } else if (source.size <= SMALL) {
      await addSmall(writer, source.name, await noted(ahead.get(source) ?? files.read(source.path), state), facts);
      ahead.delete(source);
    } else {
      const readable = ReadableStream.from(noting(files.stream(source.path, { signal, chunk: 1 << 18 }), state));
      await writer.add(source.name, { readable, size: source.size }, facts);
    }
  }
  await writer.close();
}

/** Begins to read the next few small files: many of them wait longer for the disk than for the packing. */
function readAhead(files: Files, sources: readonly ZipSource[], index: number, ahead: Map<ZipSource, Promise<Uint8Array>>): void {
  for (const source of sources.slice(index, index + AHEAD)) {
    if (source.path === undefined || source.size > SMALL || ahead.has(source)) continue;
    const reading = files.read(source.path);
    // It is told when its turn comes.
    reading.catch(() => undefined);
    ahead.set(source, reading);
  }
}

async function addSmall(writer: ZipWriter<unknown>, name: string, content: Uint8Array, facts: ZipWriterAddDataOptions): Promise<void> {
  const deflated = deflateRawSync(content, { level: LEVEL });
  const isSmaller = deflated.length < content.length;
  const packed = { passThrough: true, compressionMethod: isSmaller ? 8 : 0, uncompressedSize: content.length, crc32: crc32(content) };
  await writer.add(name, new Uint8ArrayReader(isSmaller ? deflated : content), { ...facts, ...packed });
}

async function noted<Value>(work: Promise<Value>, state: SourceState): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    state.error = error;
    throw error;
  }
}

async function* noting(content: AsyncIterable<Uint8Array>, state: SourceState): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    state.error = error;
    throw error;
  }
}
