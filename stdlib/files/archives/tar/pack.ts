import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { Source } from './sources.ts';

export type Compression = 'none' | 'gz' | 'bz2' | 'xz' | 'zst';

const names: readonly Compression[] = ['none', 'gz', 'bz2', 'xz', 'zst'];

/** The compression of a name in any letter case; an empty name and null mean none. */
export function compressionNamed(name: string | null): Compression {
  const wanted = name === null || name === '' ? 'none' : name.toLowerCase();
  const found = names.find((one) => one === wanted);
  if (found === undefined) throw fail.tarCompressionUnknown({ name: name ?? '' });
  return found;
}

interface Tools extends Base, Pick<Ports, 'files' | 'tar' | 'compression' | 'sevenZip'> {
  /** Told of each piece of a source that was read: so many bytes more. */
  readonly onBytes: (bytes: number) => void;
}

/** Writes an archive whole or not at all. */
export async function packed(
  ctx: Tools,
  sources: readonly Source[],
  compression: Compression,
  target: string,
): Promise<void> {
  const { files, durable, signal } = ctx;
  const state: { error?: unknown } = {};
  const plain = ctx.tar.write(sources.map((source) => noting(source, state, ctx)));
  const bytes = await compressed(ctx, compression, plain);
  try {
    await files.writeStream(target, bytes, { parents: true, durable, signal });
  } catch (error) {
    // When a source cannot be read the archive cannot be written: the cause is told, not what follows from it.
    throw 'error' in state && !signal.aborted ? state.error : error;
  }
}

async function compressed(
  { compression, sevenZip, signal, step }: Tools,
  format: Compression,
  bytes: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  // They gather pieces of their own.
  if (format === 'zst' || format === 'gz') return compression.compress(format, bytes, signal);
  const blocks = inBlocks(bytes);
  if (format === 'none') return blocks;
  return sevenZip.compress(format, blocks, { command: step.command, signal });
}

const BLOCK = 256 * 1024;

/** Headers and small files are handed on together, in blocks that nobody changes afterwards. */
async function* inBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let block = new Uint8Array(BLOCK);
  let size = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + BLOCK - size);
      block.set(part, size);
      at += part.length;
      size += part.length;
      if (size < BLOCK) continue;
      yield block;
      block = new Uint8Array(BLOCK);
      size = 0;
    }
  }
  if (size > 0) yield block.subarray(0, size);
}

function noting(source: Source, state: { error?: unknown }, tools: Tools): Source {
  const { content } = source;
  if (content === undefined) return source;
  return { ...source, content: () => watched(content(), state, tools) };
}

async function* watched(
  content: AsyncIterable<Uint8Array>,
  state: { error?: unknown },
  { onBytes, signal }: Tools,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of content) {
      signal.throwIfAborted();
      onBytes(chunk.length);
      yield chunk;
    }
  } catch (error) {
    state.error = error;
    throw error;
  }
}
