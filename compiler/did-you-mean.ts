/**
 * The candidates nearest to a name that was not found, best first, at most three: those within 0.4 · length + 1 changed
 * letters (or `limit`) and one of the nearest, where letters that differ only in case count as one change together.
 * Names of which more is changed than kept are no neighbours, such as `doc` and `d`; the domain that both share (`WR_`)
 * does not count as kept.
 */
export function didYouMean(
  name: string,
  candidates: Iterable<string>,
  limit: number = Math.floor(name.length * 0.4) + 1,
): readonly string[] {
  // Nobody mistypes a name of that length; comparing it with hundreds would take long.
  if (name.length > 200) return [];
  const found: [distance: number, candidate: string][] = [];
  for (const candidate of candidates) {
    const distance = distanceWithin(name, candidate, limit);
    if (distance <= limit && isMostlyKept(name, candidate, distance)) found.push([distance, candidate]);
  }
  // Of `role` and `ROLE`, the one in the letters that were written.
  const isSmall = name === name.toLowerCase();
  const isInOthers = (candidate: string): number => Number((candidate === candidate.toLowerCase()) !== isSmall);
  found.sort(([a, one], [b, other]) => a - b || isInOthers(one) - isInOthers(other) || (one < other ? -1 : 1));
  // A name that is one slip away needs no company of names that are further off.
  const best = found[0]?.[0] ?? 0;
  return found
    .filter(([distance]) => distance <= best + 1)
    .slice(0, 3)
    .map(([, candidate]) => candidate);
}

function isMostlyKept(name: string, candidate: string, distance: number): boolean {
  const [domain = ''] = /^[A-Z]{2}_/i.exec(name) ?? [];
  const shared = candidate.toLowerCase().startsWith(domain.toLowerCase()) ? domain.length : 0;
  return distance * 2 <= Math.max(name.length, candidate.length) - shared;
}

/**
 * Whether a name is a slip of the pen for the only candidate near it, so that it may be mended unasked: one letter too
 * much, too few, wrong or out of place, and no word in it another one: `get` is no slip of `set`, nor `unzip` of `zip`.
 */
export function isSlip(name: string, found: readonly string[]): boolean {
  const [candidate, other] = found;
  if (candidate === undefined || other !== undefined || distanceWithin(name, candidate, 1) > 1) return false;
  const [words, meant] = [name.toLowerCase().split('_'), candidate.toLowerCase().split('_')];
  if (words.length !== meant.length) return true;
  return words.every((word, index) => word === meant[index] || isSlipOf(word, meant[index] ?? ''));
}

function isSlipOf(word: string, meant: string): boolean {
  return word[0] === meant[0] && (word.length !== meant.length || word.length > 3);
}

/** Work that suggestions for one file may cost: about a tenth of a second. */
const MOST_WORK = 10_000_000;

/**
 * Suggestions from names that a file itself defines. There may be as many of those as mistakes, so that looking through
 * all of them for each would take time that grows with the square of the file: from some point on nothing is suggested.
 */
export class Suggestions {
  #left = MOST_WORK;

  /**
   * The candidates nearest to a name, best first. `names` is asked only where looking through `count` of them is
   * affordable.
   */
  nearest(name: string, count: number, names: () => Iterable<string>): readonly string[] {
    return this.affords(name, count) ? didYouMean(name, names()) : [];
  }

  /** Whether `count` names may be compared with this one; what that costs is spent then. */
  affords(name: string, count: number): boolean {
    const work = count * (name.length ** 2 + 10);
    if (work > this.#left) return false;
    this.#left -= work;
    return true;
  }
}

function distanceWithin(name: string, candidate: string, limit: number): number {
  if (name === candidate) return 0;
  const [a, b] = [name.toLowerCase(), candidate.toLowerCase()];
  if (a === b) return 1;
  return Math.abs(a.length - b.length) > limit ? Infinity : editDistance(a, b, limit);
}

/**
 * Insertions, deletions, changes and swaps of neighbours; stops with Infinity when every way is longer than `limit`.
 */
function editDistance(a: string, b: string, limit: number): number {
  let twoBack: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (twoBack[j - 2] ?? 0) + 1);
      row.push(best);
    }
    if (Math.min(...row) > limit) return Infinity;
    [twoBack, previous] = [previous, row];
  }
  return previous[b.length] ?? Infinity;
}
