import { closeSync, constants, openSync, statSync, writeSync } from 'node:fs';

import { clock } from '../clock.ts';
import { yieldTurn } from '../threads/yield-turn.ts';
import { toNative } from '../paths.ts';
import { codeOf } from '../system-error.ts';

/** Windows has no such flag, and no pipes among its files. */
const { O_WRONLY, O_NONBLOCK } = constants as Partial<typeof constants>;
const WRITE_AT_ONCE = (O_WRONLY ?? 1) | (O_NONBLOCK ?? 0);

/** Poll interval (ms) while waiting for a reader of the pipe. */
const LOOK_MS = 20;
/** Bytes that are written at once. */
const PIECE = 1 << 20;

type Content = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Writes straight into a pipe or a device. Until somebody reads from a pipe it waits by looking again: a call that
 * blocks could be cancelled by nothing, and would hold up everything else.
 */
export async function writeSpecial(path: string, content: Content, signal?: AbortSignal): Promise<void> {
  const file = await opened(toNative(path), signal);
  try {
    for await (const chunk of content) await writeAll(file, chunk, signal);
  } finally {
    closeSync(file);
  }
}

async function opened(native: string | Buffer, signal: AbortSignal | undefined): Promise<number> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return openSync(native, WRITE_AT_ONCE);
    } catch (error) {
      // Nobody reads from it yet. A socket answers the same, and always will.
      if (codeOf(error) !== 'ENXIO' || !statSync(native).isFIFO()) throw error;
    }
    await clock.sleep(LOOK_MS, signal);
  }
}

async function writeAll(file: number, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    await yieldTurn(signal);
    try {
      at += writeSync(file, bytes, at, Math.min(bytes.length - at, PIECE));
    } catch (error) {
      // The pipe is full: who reads is slower.
      if (codeOf(error) !== 'EAGAIN') throw error;
      await clock.sleep(1, signal);
    }
  }
}
