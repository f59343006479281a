import type { Json } from '#schemas/types/json.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, sec: 1, m: 60, min: 60, h: 3600 };

/** `5`, `"5s"` and `"500 ms"`, in seconds; `unit` is that of a bare number. */
export function inSeconds(value: Json, unit: number): number | undefined {
  if (typeof value === 'number') return rounded(value * unit);
  const [, digits, own = ''] = typeof value === 'string' ? (/^(\d+(?:\.\d+)?) ?([a-z]*)$/.exec(value) ?? []) : [];
  const factor = own === '' ? unit : UNITS[own];
  return digits === undefined || factor === undefined ? undefined : rounded(Number(digits) * factor);
}

/** A thousandth of 7 is 0.007, and not 0.007000000000000001. */
function rounded(seconds: number): number | undefined {
  return seconds > 0 ? Number(seconds.toPrecision(12)) : undefined;
}
