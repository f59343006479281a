/**
 * The candidate of a small closed set that a word was likely meant to be: at most 0.4 of its letters and one more
 * differ, and most of the two is the same.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.floor(word.length * 0.4) + 1;
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    const distance = changes(word.slice(0, 40).toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  if (best === undefined) return undefined;
  // `monday` for `mon`.
  const isBegun = best.length > 1 && word.toLowerCase().startsWith(best.toLowerCase());
  return isBegun || least * 2 < Math.max(word.length, best.length) ? best : undefined;
}

/** Letters to insert, remove, change or swap with their neighbours. */
function changes(from: string, to: string): number {
  let twoBack: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swap = isSwapped && i > 1 && j > 1 ? (twoBack[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [twoBack, row] = [row, next];
  }
  return row[to.length] ?? from.length;
}
