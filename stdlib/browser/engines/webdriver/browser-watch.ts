import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 250;
/** Looks without a browser in a row after which none is there any more, and after which none comes (a busy machine). */
const looksGone = 2;
const looksNone = 12;

/**
 * Rejects when the driver's browser has ended while the driver still waits for it: over a pipe, drivers do not notice
 * that. Linux only, like the pipe; ends with the signal.
 */
export async function browserEnded(driver: number, signal: AbortSignal): Promise<never> {
  let alone = 0;
  let wasThere = false;
  for (;;) {
    await sleep(pauseMs, undefined, { signal });
    const isThere = await hasLivingChild(driver);
    wasThere ||= isThere;
    alone = isThere ? 0 : alone + 1;
    if (alone === (wasThere ? looksGone : looksNone)) throw new Error('the browser ended right after its start');
  }
}

async function hasLivingChild(pid: number): Promise<boolean> {
  try {
    // Each thread lists the processes that it started.
    const threads = await readdir(`/proc/${pid}/task`);
    const lists = await Promise.all(
      threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => undefined)),
    );
    // A kernel that does not list them says nothing about the browser.
    if (lists.every((list) => list === undefined)) return true;
    const states = await Promise.all(
      lists
        .join(' ')
        .split(' ')
        .filter((child) => child !== '')
        .map(stateOf),
    );
    return states.some((state) => state !== undefined && state !== 'Z');
  } catch {
    // The driver itself is gone, and says so by itself.
    return true;
  }
}

/** One letter; `Z` is a process that has ended and waits to be collected. */
async function stateOf(pid: string): Promise<string | undefined> {
  try {
    return /\) (\S)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
