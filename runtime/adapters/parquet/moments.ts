/** Days from 1970 as `2024-01-31`; a number where no calendar of ours reaches. */
export function dateText(days: number): string | number {
  const at = new Date(days * 86_400_000);
  return Number.isNaN(at.getTime()) ? days : at.toISOString().slice(0, -14);
}

/** Units of a second, `digits` places, from midnight. */
export function timeText(units: bigint, digits: 3 | 6 | 9): string {
  const perSecond = 10n ** BigInt(digits);
  const seconds = Number(units / perSecond);
  const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.${String(units % perSecond).padStart(digits, '0')}`;
}

/** Units of a second from 1970. `isUtc`: a moment; else what a clock on a wall shows. */
export function timestampText(units: bigint, digits: 3 | 6 | 9, isUtc: boolean): string {
  const perDay = 86_400n * 10n ** BigInt(digits);
  const inDay = ((units % perDay) + perDay) % perDay;
  const day = dateText(Number((units - inDay) / perDay));
  return typeof day === 'number' ? `${units}e-${digits}` : `${day}T${timeText(inDay, digits)}${isUtc ? 'Z' : ''}`;
}

/** Months, days and milliseconds, four bytes each, as ISO 8601 writes a duration. */
export function intervalText(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 12);
  return `P${view.getUint32(0, true)}M${view.getUint32(4, true)}DT${view.getUint32(8, true) / 1000}S`;
}

const datePattern = /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)$/;
const timestampPattern =
  /^((?:\d{4}|[+-]\d{6})-\d\d-\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|z|[+-]\d\d:?\d\d)?$/;

/** Days from 1970; undefined where the text is no date. */
export function daysOf(text: string): number | undefined {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  if (year === undefined) return undefined;
  const at = new Date(0);
  at.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // The 30th of February is the 1st of March otherwise.
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day)
    ? at.getTime() / 86_400_000
    : undefined;
}

/**
 * Microseconds from 1970; undefined where the text is no such moment, says more than microseconds, or names a zone
 * against `zoned`.
 */
export function microsOf(text: string, zoned: boolean): bigint | undefined {
  const [, date = '', hour, minute, second = '0', fraction = '', zone] = timestampPattern.exec(text) ?? [];
  const days = daysOf(date);
  if (days === undefined || (zone !== undefined) !== zoned || /[^0]/.test(fraction.slice(6))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const minutes = Number(hour) * 60 + Number(minute) - minutesOf(zone);
  const seconds = BigInt(days) * 86_400n + BigInt(minutes) * 60n + BigInt(second);
  return seconds * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'));
}

function minutesOf(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone ?? '') ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
