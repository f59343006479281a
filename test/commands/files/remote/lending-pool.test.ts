import { expect, test } from 'vitest';

import { LendingPool } from '#stdlib/files/backends/lending-pool.ts';

const { signal } = new AbortController();

function poolOf(most: number, open: () => Promise<number>) {
  const ended: number[] = [];
  const isCrowded = (error: unknown): boolean => String(error).includes('crowded');
  return {
    ended,
    pool: new LendingPool({ most, open, isReady: () => true, end: (one) => ended.push(one), isCrowded }),
  };
}

test('a turn of one who is gone goes to the next who waits', async () => {
  const { pool } = poolOf(1, () => Promise.resolve(1));
  const first = await pool.lend({ signal });
  const gone = new AbortController();
  const waits = pool.lend({ signal: gone.signal });
  const last = pool.lend({ signal });
  gone.abort(new Error('stopped'));
  pool.giveBack(first);
  await expect(waits).rejects.toThrow('stopped');
  expect(await last).toBe(1);
});

test('one that is opened while the pool is closed is ended when it comes back', async () => {
  const opening = Promise.withResolvers<number>();
  const { pool, ended } = poolOf(1, () => opening.promise);
  const lent = pool.lend({ signal });
  pool.retire();
  opening.resolve(1);
  pool.giveBack(await lent);
  expect(ended).toEqual([1]);
});

test('a server that allows fewer than are wanted is asked for no more', async () => {
  let opened = 0;
  const { pool, ended } = poolOf(4, () =>
    opened < 2 ? Promise.resolve((opened += 1)) : Promise.reject(new Error('crowded')),
  );
  const lent = await Promise.all([pool.lend({ signal }), pool.lend({ signal })]);
  const third = pool.lend({ signal });
  pool.giveBack(lent[0] ?? 0, false);
  await expect.poll(() => ended).toEqual([1]);
  pool.giveBack(lent[1] ?? 0);
  expect(await third).toBe(2);
});
