import { ZipWriter, configure } from '@zip.js/zip.js/lib/zip-core-custom.js';

import type { Files } from '#schemas/types/host.ts';

import { Channel } from './channel.ts';
import type { ZipSource, ZipWriteOptions } from './port.ts';

/** The level at which the platform's own compressor is used. */
const LEVEL = 6;

/**
 * Streams members into an archive that appears when the last one is in. Times are stored in UTC beside the local time of the
 * format, and permission bits as Unix has them.
 */
export async function writeArchive(files: Files, path: string, sources: Iterable<ZipSource>, { durable, signal }: ZipWriteOptions): Promise<void> {
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
  if (reading.error !== undefined) throw reading.error;
  if (written.status === 'rejected') throw written.reason;
  if (packed.status === 'rejected') throw packed.reason;
}

interface SourceState {
  error?: unknown;
}

async function pack(files: Files, sources: Iterable<ZipSource>, writable: WritableStream<Uint8Array>, signal: AbortSignal, state: SourceState): Promise<void> {
  const writer = new ZipWriter(writable, { level: LEVEL, signal });
  for (const source of sources) {
    signal.throwIfAborted();
    const facts = { lastModDate: new Date(source.modifiedMs), unixMode: source.mode };
    if (source.path === undefined) {
      await writer.add(`${source.name}/`, undefined, { ...facts, directory: true });
    } else {
      const readable = ReadableStream.from(noting(files.stream(source.path, { signal, chunk: 1 << 18 }), state));
      await writer.add(source.name, { readable, size: source.size }, { ...facts, ...(source.size === 0 && { level: 0 }) });
    }
  }
  await writer.close();
}

async function* noting(content: AsyncIterable<Uint8Array>, state: SourceState): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    state.error = error;
    throw error;
  }
}
