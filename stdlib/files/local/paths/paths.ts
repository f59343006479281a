import { command } from '#stdlib/command.ts';
import { isPlain, joined, safelyJoined } from '#stdlib/files/safe-join.ts';

export const FA_safe_join = command('FA_safe_join', ({ base, user_path }, ctx) => safelyJoined(ctx, base, user_path));

export const FA_is_within = command('FA_is_within', async ({ base, user_path }, ctx) => {
  if (base.includes('\0') || user_path.includes('\0') || !isPlain(user_path)) return false;
  return (await joined(ctx, base, user_path)).isInside;
});
