/**
 * The candidate of a small closed set that a word was likely meant to be: at most 0.4 of its letters and one more
 * differ.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.floor(word.length * 0.4) + 1;
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    const distance = changes(word.slice(0, 40).toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  // A suggestion must share something with the word.
  return least < word.length ? best : undefined;
}

/** Letters to insert, remove or change. */
function changes(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? from.length;
}
