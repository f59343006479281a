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
 * Lets the program move a file by itself: where bytes pass through here, it waits for its reader after each 50 KB. The
 * progress is the size of the target, asked for now and then. False: not all of the file is there, for a reason that
 * the program does not tell, such as a full disk on this side.
 */
export async function moveByProgram(client: SmbClient, clock: Clock, move: Move): Promise<boolean> {
  const { command, path, size, signal, reached } = move;
  const { done } = await client.transfer({ command }, path, { signal });
  const growth = new Growth(move.told);
  const watch = new AbortController();
  const watched = watchGrowth(clock, growth, reached, watch.signal);
  try {
    await done;
  } finally {
    watch.abort();
    await watched;
  }
  const there = await reached();
  growth.seen(there);
  return there === size;
}

/** Tells of the bytes that have come since they were last seen. */
class Growth {
  readonly #told: Move['told'];
  #size = 0;

  constructor(told: Move['told']) {
    this.#told = told;
  }

  seen(size = 0): void {
    if (size > this.#size) this.#told(size - this.#size);
    this.#size = Math.max(this.#size, size);
  }
}

async function watchGrowth(clock: Clock, growth: Growth, reached: Move['reached'], ended: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(LOOK_EVERY_MS, ended).catch(() => undefined);
    if (ended.aborted) return;
    // A size that cannot be asked for now is asked for at the next look.
    growth.seen(await reached().catch(() => undefined));
  }
}
