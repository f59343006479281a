import { boundedMatch } from '#schemas/types/bounded-match.ts';

import { hasMatch } from './pattern/has-match.ts';

/** The search of a pattern that may run away is asked of a matcher that cannot. */
class NotQuick extends Error {}

const elsewhere = {
  match: (): never => {
    throw new NotQuick();
  },
};

/**
 * Whether a text matches a pattern of a schema; true where that cannot be found out quickly, or the pattern is none.
 */
export function fitsPattern(text: string, pattern: string): boolean {
  for (const flags of ['u', ''] as const)
    try {
      return boundedMatch(elsewhere, { pattern, flags, ms: 0 }, text) !== null;
    } catch (error) {
      // Some patterns are written for engines that know no Unicode mode.
      if (!(error instanceof SyntaxError)) return hasMatch(text, pattern, flags) ?? true;
    }
  return true;
}

/** Forms about which all agree; others that a document may name say nothing here. */
const forms: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  'date-time': (text) => {
    const match = /^(\S{10})[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text);
    const [, day = '', hour, minute, second] = match ?? [];
    return isDate(day) && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 61;
  },
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  // Many documents call a path or a template of an address a URI as well: what no URI holds is told.
  uri: (text) => !/[\s<>"^`\\]/.test(text),
  byte: (text) => /^[\w+/\s-]*={0,2}\s*$/.test(text),
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
  ipv4: (text) => /^(?:\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split('.').every((part) => Number(part) < 256),
};

/** Whether a text has the form that a schema names; a form that is not known here is never missed. */
export function fitsFormat(text: string, format: string): boolean {
  return forms[format]?.(text) ?? true;
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
