import { copyFileSync, statSync, utimesSync, type Stats } from 'node:fs';

import { yieldTurn } from '../threads/yield-turn.ts';
import { toNative } from '../paths.ts';
import { putInPlace, putInPlaceAtOnce, removeQuietly } from '../write/put-in-place.ts';
import { stream } from '../read/stream.ts';
import { about, codeOf, naming, systemError } from '../system-error.ts';
import { targetOf } from '../write/target.ts';
import { pathAtFault } from './path-at-fault.ts';
import { timeOf } from '../write/time-of.ts';
import { whenNeeded } from '../when-needed.ts';
import { writeLarge } from '../write/write-large.ts';

/** Above this size the copy is made in chunks, so that it can be cancelled. */
const LARGE = 8 * 1024 * 1024;
/** Up to this size it is made by calls that block. */
const SMALL = 64 * 1024;

interface CopyOptions {
  readonly metadata?: boolean;
  readonly signal?: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Content and permission bits; with `metadata` the times too. The target appears whole, and not at all where the source
 * changes meanwhile.
 */
export async function copy(from: string, to: string, options: CopyOptions = {}): Promise<void> {
  await yieldTurn(options.signal);
  const source = naming(from, () => statSync(toNative(from)));
  const mode = source.mode & 0o7777;
  const target = targetOf(to, { mode });
  // Files of the kernel's own say that they are empty, and are not: the system's copy believes them.
  if (source.size > LARGE || source.size === 0 || target.special || !source.isFile()) {
    const times = options.metadata && !target.special ? { times: source } : {};
    await writeLarge(to, atRest(from, source, options), {
      mode,
      ...times,
      ...(options.signal && { signal: options.signal }),
    });
    return;
  }
  const temporary = toNative(target.temporary);
  try {
    if (source.size > SMALL) await whenNeeded.later.copyFile(toNative(from), temporary);
    else copyFileSync(toNative(from), temporary);
    requireAtRest(from, source);
    if (options.metadata) utimesSync(temporary, timeOf(source.atimeMs), timeOf(source.mtimeMs));
    options.signal?.throwIfAborted();
    if (source.size > SMALL) await putInPlace(temporary, toNative(target.path), false);
    else putInPlaceAtOnce(temporary, toNative(target.path), false);
    options.onBytes?.(source.size);
  } catch (error) {
    removeQuietly(temporary);
    throw codeOf(error) === 'ECHANGED'
      ? error
      : about(error, pathAtFault(error, { from, to, needs: { path: from, mode: 'read' } }));
  }
}

/** The content of a file that must not change until its end. */
async function* atRest(
  path: string,
  source: Stats,
  { signal, onBytes = () => undefined }: CopyOptions,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream(path, { reuse: true, ...(signal && { signal }) })) {
    onBytes(chunk.length);
    yield chunk;
  }
  if (source.isFile()) requireAtRest(path, source);
}

function requireAtRest(path: string, before: Stats): void {
  const after = naming(path, () => statSync(toNative(path)));
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs)
    throw systemError('ECHANGED', 'the file changed while it was read', path);
}
