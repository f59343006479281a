/** Milliseconds since 1970 as Node takes them for the times of a file: a number before 1970 would mean this moment. */
export function timeOf(ms: number): number | Date {
  return ms < 0 ? new Date(ms) : ms / 1000;
}
