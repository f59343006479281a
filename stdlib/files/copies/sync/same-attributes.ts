import type { FileStat } from '#schemas/types/host.ts';

/** Times of some file systems are no finer. */
const WINDOW_MS = 2000;

/** Whether times count as equal. */
export function isSameTime(one: FileStat, other: FileStat): boolean {
  return Math.abs(one.mtime_ms - other.mtime_ms) <= WINDOW_MS;
}

/** Whether permission bits and times count as equal. */
export function hasSameAttributes(one: FileStat, other: FileStat): boolean {
  return isSameTime(one, other) && (one.mode & 0o7777) === (other.mode & 0o7777);
}
