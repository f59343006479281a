import type { Clock } from '#schemas/types/host.ts';

import type { CallOptions } from '../backend.ts';
import type { SmbClient } from './smb-client.ts';

/** Time (ms) between two looks at how far the program has come. */
const LOOK_EVERY_MS = 500;

/** A file that the program moves by itself, between the share and this machine. */
export interface Move extends CallOptions {
  readonly command: string;
  /** Path on the share, for messages. */
  readonly path: string;
  readonly size: number;
  /** Size that the target has by now. */
  readonly reached: () => Promise<number | undefined>;
  /** Hears of the bytes that have come since it was told last. */
  readonly told: (bytes: number) => void;
}

/** Whether a command can hold the path of a file of this machine. */
export function isNameable(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  return path.isWellFormed() && !/["\u0000-\u001f]/.test(path);
}

/**
 * Lets the program move a file by itself. Its bytes do not pass through here, where it would wait for its reader after
 * each 50 KB; how far it has come is seen from outside. False: not all of it is there, for a reason that the program
 * does not tell, such as a full disk on this side.
 */
export async function moveByProgram(client: SmbClient, clock: Clock, move: Move): Promise<boolean> {
  const { command, path, size, signal } = move;
  const { done } = await client.transfer({ command }, path, { signal });
  const watch = new AbortController();
  const seen = tellAsItGrows(clock, move, watch.signal);
  try {
    await done;
  } finally {
    watch.abort();
    await seen;
  }
  return (await seen) === size;
}

/** Looks until the watch ends, and once more then. Yields the size that was seen last. */
async function tellAsItGrows(clock: Clock, { reached, told }: Move, watch: AbortSignal): Promise<number> {
  let at = 0;
  while (!watch.aborted) {
    await clock.sleep(LOOK_EVERY_MS, watch).catch(() => undefined);
    // What cannot be seen now is seen later.
    const size = (await reached().catch(() => undefined)) ?? at;
    if (size > at) told(size - at);
    at = size;
  }
  return at;
}
