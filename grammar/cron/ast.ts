import type { Problem } from '#grammar/language/problem.ts';

/** One part of a field: `*`, `5`, `1-5`, each with a step. Values are numbers; weekday 7 stays as written. */
export interface CronPart {
  readonly kind: 'any' | 'value' | 'range';
  /**
   * The first and last value; of `any` those of the field; of a value with a step the last one is that of the field.
   */
  readonly from: number;
  readonly to: number;
  readonly step?: number;
}

/** Field of a schedule: parts of which one must match. */
export type CronField = readonly CronPart[];

/** Five fields: minute, hour, day of month, month, day of week. */
export interface Cron {
  readonly minute: CronField;
  readonly hour: CronField;
  readonly day: CronField;
  readonly month: CronField;
  readonly weekday: CronField;
}

export type CronFieldName = keyof Cron;

export interface FieldRange {
  readonly name: CronFieldName;
  readonly first: number;
  readonly last: number;
  /** Names of values, the first one standing for `first`. */
  readonly names: readonly string[];
}

/** Fields in order. In the last one 7 is Sunday too. */
export const FIELDS: readonly FieldRange[] = [
  { name: 'minute', first: 0, last: 59, names: [] },
  { name: 'hour', first: 0, last: 23, names: [] },
  { name: 'day', first: 1, last: 31, names: [] },
  {
    name: 'month',
    first: 1,
    last: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'weekday', first: 0, last: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];

export type CronProblemKey =
  | 'fields'
  | 'unexpected'
  | 'out-of-range'
  | 'unknown-name'
  | 'falling-range'
  | 'zero-step'
  | 'nickname'
  | 'unreadable';
export type CronProblem = Problem<CronProblemKey>;

export interface ParsedCron {
  /** Absent where there is a problem. */
  readonly cron?: Cron;
  readonly problems: readonly CronProblem[];
}

/** Schedules that have a word of their own in other schedulers. */
export const NICKNAMES: Readonly<Record<string, string>> = {
  '@annually': '0 0 1 1 *',
  '@daily': '0 0 * * *',
  '@hourly': '0 * * * *',
  '@midnight': '0 0 * * *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@yearly': '0 0 1 1 *',
};

/** The value that a number or a name stands for in a field; undefined where it has none. */
export function valueOf(word: string, field: FieldRange): number | undefined {
  if (/^[0-9]{1,4}$/.test(word)) {
    const value = Number(word);
    return value >= field.first && value <= field.last ? value : undefined;
  }
  const index = field.names.indexOf(word.toLowerCase());
  return index < 0 ? undefined : field.first + index;
}

export function cronOf(fields: readonly CronField[]): Cron | undefined {
  const [minute, hour, day, month, weekday] = fields;
  if (minute === undefined || hour === undefined || day === undefined || month === undefined || weekday === undefined)
    return undefined;
  return { minute, hour, day, month, weekday };
}
