import { resolve } from 'node:path';

import type { PortContext, Ports } from '#runtime/kernel/ports.ts';
import { fileNotFound } from '#schemas/generated/failures.ts';

/** Bytes that are read at a time: two such pieces are held. */
const PIECE = 256 * 1024;

/** A local file that is sent as a body. */
export interface BodyFile {
  readonly size: number;
  /** Its bytes from the beginning, each time anew. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** The file at a path, which is there and is no folder. */
export async function bodyFile(path: string, context: PortContext, signal: AbortSignal): Promise<BodyFile> {
  const { files, whole, size } = await found(path, context);
  return { size, pieces: () => pieces(files.stream(whole, { chunk: PIECE, signal })) };
}

/** Error of a body that could not be read to its end; the cause is the file system's own. */
export class BodyUnreadable extends Error {}

async function* pieces(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* stream;
  } catch (cause) {
    throw new BodyUnreadable('the body could not be read', { cause });
  }
}

/** All bytes of such a file. */
export async function bodyBytes(path: string, context: PortContext): Promise<Uint8Array> {
  const { files, whole } = await found(path, context);
  return await files.read(whole);
}

async function found(
  path: string,
  context: PortContext,
): Promise<{ readonly files: Ports['files']; readonly whole: string; readonly size: number }> {
  const files = await context.port('files');
  const whole = resolve(context.folders.cwd, path);
  const entry = await files.find(whole);
  if (entry?.kind !== 'file') throw fileNotFound({ path });
  return { files, whole, size: entry.size };
}
