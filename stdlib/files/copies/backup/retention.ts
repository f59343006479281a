export interface Backup {
  readonly path: string;
  readonly mtime_ms: number;
}

type Period = 'day' | 'week' | 'month' | 'year';

/** Number of periods of each kind that are kept; 0: the kind is off. */
export type Counts = Readonly<Record<Period, number>>;

/**
 * The backups to keep, of a list whose newest comes first: of the newest periods of each kind that hold a file, the
 * newest file.
 */
export function keptOf<Item extends Backup>(newestFirst: readonly Item[], counts: Counts): ReadonlySet<Item> {
  const kept = new Set<Item>();
  for (const [period, begin] of Object.entries(begins) as [Period, (date: Date) => number][]) {
    const seen = new Set<number>();
    for (const backup of newestFirst) {
      if (seen.size === counts[period]) break;
      const start = begin(new Date(backup.mtime_ms));
      if (seen.has(start)) continue;
      seen.add(start);
      kept.add(backup);
    }
  }
  return kept;
}

/** Start of the period of a date (ms since 1970, UTC). */
const begins: Readonly<Record<Period, (date: Date) => number>> = {
  day: (date) => dayOf(date, 0),
  // An ISO week begins on Monday, and weeks have their own years: the date of that Monday tells them apart.
  week: (date) => dayOf(date, (date.getUTCDay() + 6) % 7),
  month: (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
  year: (date) => Date.UTC(date.getUTCFullYear(), 0),
};

function dayOf(date: Date, daysBefore: number): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - daysBefore);
}
