/**
 * The names nearest to a mistyped one, best first, at most three: those within 0.4 · length + 1 edits, where letter case
 * counts little and a swap of neighbours is one edit.
 */
export function didYouMean(name: string, names: Iterable<string>): readonly string[] {
  if (name.length > 100) return [];
  const limit = Math.floor(0.4 * name.length + 1);
  const lower = name.toLowerCase();
  const found: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of names) {
    if (candidate === name || Math.abs(candidate.length - name.length) > limit) continue;
    const distance = candidate.toLowerCase() === lower ? 0 : editDistance(lower, candidate.toLowerCase(), limit);
    if (distance <= limit) found.push({ candidate, distance });
  }
  const best = Math.min(...found.map(({ distance }) => distance));
  return found
    // A name that is one slip away needs no company of names that are five away.
    .filter(({ distance }) => distance <= best + 1)
    .toSorted((left, right) => left.distance - right.distance || (left.candidate < right.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Insertions, deletions, replacements and swaps of neighbours; above `limit` any number above it. */
function editDistance(left: string, right: string, limit: number): number {
  let before: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1));
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      }
      current.push(cost);
      smallest = Math.min(smallest, cost);
    }
    if (smallest > limit) return limit + 1;
    before = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
