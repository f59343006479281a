import type { SmbListed } from './listing.ts';

/** Most blanks at the end of a name that is filled up in a listing. */
const MOST = 30;

/**
 * A listing with the blanks at the ends of names, which it does not tell from those that names are filled up with.
 * `ending` lists the names that end with so many blanks or more.
 */
export async function withBlankEnds(
  all: readonly SmbListed[],
  ending: (blanks: number) => Promise<readonly SmbListed[]>,
): Promise<readonly SmbListed[]> {
  const levels: ReadonlyMap<string, number>[] = [];
  for (let blanks = 1; all.some(({ isFilled }) => isFilled) && blanks <= MOST; blanks += 1) {
    const found = (await ending(blanks)).filter(({ isFilled }) => isFilled);
    if (found.length === 0) break;
    levels.push(counted(found));
  }
  const before = new Map<string, number>();
  return all.map((entry) => {
    if (!entry.isFilled) return entry;
    const key = keyOf(entry);
    const index = before.get(key) ?? 0;
    before.set(key, index + 1);
    // Of entries that look alike the first have the most blanks.
    const blanks = levels.filter((level) => (level.get(key) ?? 0) > index).length;
    return { ...entry, name: entry.name + ' '.repeat(blanks) };
  });
}

function counted(entries: readonly SmbListed[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of entries.map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function keyOf({ name, isFolder, size, mtime_ms }: SmbListed): string {
  return JSON.stringify([name, isFolder, size, mtime_ms]);
}
