import { call } from '#compiler/engine/call.ts';

/**
 * Resolves a path below a folder: absolute, links resolved. Rejects with `PathTraversalException` where it leads out of
 * the folder.
 */
export function safe_join(base: string, user_path: string): Promise<string> {
  return call('FA_safe_join', { base, user_path });
}

/** Whether a path stays inside a folder; false also for one that cannot be a path. */
export function is_within(base: string, user_path: string): Promise<boolean> {
  return call('FA_is_within', { base, user_path });
}
