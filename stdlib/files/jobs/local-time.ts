/** A moment in local time with its offset from UTC, to the second: `2024-05-01T09:30:00+02:00`. */
export function localTime(at: number, offsetMinutes: number): string {
  const wall = new Date(at + offsetMinutes * 60_000).toISOString().slice(0, 19);
  const minutes = Math.abs(offsetMinutes);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${wall}${offsetMinutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
