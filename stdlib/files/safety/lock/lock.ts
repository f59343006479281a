import { command } from '#stdlib/command.ts';
import { stepResults } from '#stdlib/files/step-results.ts';

export const FA_with_file_lock = command('FA_with_file_lock', async ({ path, then, timeout }, ctx) => {
  const lock = await ctx.fileLocks.acquire(path, {
    timeout,
    signal: ctx.signal,
    step: ctx.step,
  });
  try {
    return { results: stepResults(await then.run()) };
  } finally {
    await lock.release();
  }
});

export const FA_with_db_lock = command('FA_with_db_lock', async ({ db_path, name, then, timeout, ttl }, ctx) => {
  const lease = await ctx.leases.acquire(db_path, name, {
    timeout,
    ttl,
    signal: ctx.signal,
    step: ctx.step,
  });
  try {
    return { results: stepResults(await then.run({ signal: lease.signal })) };
  } finally {
    await lease.release();
  }
});

export const FA_db_lock_status = command('FA_db_lock_status', ({ db_path, name }, ctx) =>
  ctx.leases.status(db_path, name, ctx.signal),
);
