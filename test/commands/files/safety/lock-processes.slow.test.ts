import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { compete } from '../../../fixtures/competing.ts';
import { openLockServices } from '../../../fixtures/lock-service.ts';

/**
 * Processes that compete for one lock and are killed at random moments: one at a time holds it, and the others go on.
 */
const kills = process.env['SVC_TEST_FULL'] ? 100 : 10;
const { signal } = new AbortController();

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-locks-'));
});
afterEach(() => rm(root, { recursive: true }));

describe('many processes at one lock, some of them killed', () => {
  it('a lock file; nothing is left behind but the lock file itself', async () => {
    const place = join(root, 'lock');
    const { taken, killed, wrong } = await compete(['file', place, join(root, 'inside')], { workers: 4, kills });
    expect({ killed, wrong }).toEqual({ killed: kills, wrong: [] });
    expect(taken).toBeGreaterThan(kills);
    await using services = await openLockServices();
    const lock = await services.fileLocks.acquire(place, { timeout: 5, signal });
    await lock.release();
    expect((await readdir(root)).filter((name) => name !== 'inside')).toEqual(['lock']);
  }, 300_000);

  it('a SQLite file', async () => {
    const { taken, killed, wrong } = await compete(['db', join(root, 'locks.db'), join(root, 'inside'), '1'], {
      workers: 3,
      kills,
    });
    expect({ killed, wrong }).toEqual({ killed: kills, wrong: [] });
    expect(taken).toBeGreaterThan(kills);
  }, 300_000);
});
