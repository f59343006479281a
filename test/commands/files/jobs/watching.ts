import { expect, it } from 'vitest';

import { openWatchPlace, until, type WatchPlace } from './watch-place.ts';

export const all = ['created', 'modified', 'deleted', 'moved'] as const;

type Tells = (...expected: readonly string[]) => Promise<void>;

/**
 * A test of a watcher. Each waits for the system most of the time, so they run side by side, each in a folder of its
 * own.
 */
export function watching(name: string, test: (at: WatchPlace, tells: Tells) => Promise<void>): void {
  it.concurrent(name, async () => {
    await using at = await openWatchPlace();
    await test(at, async (...expected) => {
      await until(() => at.told.length >= expected.length);
      expect(at.told).toEqual(expected);
    });
  });
}
