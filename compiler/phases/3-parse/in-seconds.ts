import { isObject, type Json } from '#schemas/types/json.ts';

const UNITS: Readonly<Record<string, number>> = {
  ...{ ms: 0.001, millis: 0.001, millisecond: 0.001 },
  ...{ s: 1, sec: 1, second: 1 },
  ...{ m: 60, min: 60, minute: 60 },
  ...{ h: 3600, hour: 3600 },
};

/** Seconds of a unit in any of its names; undefined for a word that is none. */
export function secondsOfUnit(word: string): number | undefined {
  const one = word.length > 2 && word !== 'millis' && word.endsWith('s') ? word.slice(0, -1) : word;
  return Object.hasOwn(UNITS, one) ? UNITS[one] : undefined;
}

/** `5`, `"5s"`, `"500 ms"` and `{minutes: 5}`, in seconds; `unit` is that of a bare number. */
export function inSeconds(value: Json, unit: number): number | undefined {
  if (typeof value === 'number') return rounded(value * unit);
  if (isObject(value)) return ofOneUnit(Object.entries(value));
  const [, digits, own = ''] =
    typeof value === 'string' ? (/^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(value.trim()) ?? []) : [];
  const factor = own === '' ? unit : secondsOfUnit(own.toLowerCase());
  return digits === undefined || factor === undefined ? undefined : rounded(Number(digits) * factor);
}

function ofOneUnit([only, ...others]: readonly (readonly [string, Json])[]): number | undefined {
  const factor = only === undefined || others.length > 0 ? undefined : secondsOfUnit(only[0].toLowerCase());
  return factor === undefined || typeof only?.[1] !== 'number' ? undefined : rounded(only[1] * factor);
}

/** A thousandth of 7 is 0.007, and not 0.007000000000000001. */
function rounded(seconds: number): number | undefined {
  return seconds > 0 ? Number(seconds.toPrecision(12)) : undefined;
}
