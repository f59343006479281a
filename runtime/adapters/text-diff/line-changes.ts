import { addAll } from '#grammar/source/add-all.ts';
import { diffArrays } from 'diff';

/** Lines of the old text that give way to lines of the new one; ends are the places behind the last line. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Largest number of lines, between lines that stand only once, that are compared one by one. */
const SMALL = 400;
/** Regions inside one another, so that no text takes time of its square. */
const DEEPEST = 24;

/**
 * The changes that lead from one list of lines to another, in order. Lines that stand once on either side are taken for
 * the same ones where their order allows it, and what lies between two of them is looked at in the same way: nearly
 * linear, and close to the fewest changes for texts that differ in many places.
 */
export function lineChanges(old: readonly string[], now: readonly string[]): readonly LineChange[] {
  const found: LineChange[] = [];
  region(old, now, { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: now.length }, 0, found);
  return found;
}

function region(
  old: readonly string[],
  now: readonly string[],
  whole: LineChange,
  depth: number,
  found: LineChange[],
): void {
  const rest = trimmed(old, now, whole);
  if (rest.oldStart === rest.oldEnd && rest.newStart === rest.newEnd) return;
  const isOneSided = rest.oldStart === rest.oldEnd || rest.newStart === rest.newEnd;
  const anchors = isOneSided || depth >= DEEPEST ? [] : anchorsOf(old, now, rest);
  if (anchors.length === 0) {
    addAll(found, isOneSided ? [rest] : byLine(old, now, rest));
    return;
  }
  let [oldStart, newStart] = [rest.oldStart, rest.newStart];
  for (const [oldAt, newAt] of [...anchors, [rest.oldEnd, rest.newEnd] as const]) {
    region(old, now, { oldStart, oldEnd: oldAt, newStart, newEnd: newAt }, depth + 1, found);
    [oldStart, newStart] = [oldAt + 1, newAt + 1];
  }
}

/** The change less the lines that are the same at its start and at its end. */
function trimmed(
  old: readonly string[],
  now: readonly string[],
  { oldStart, oldEnd, newStart, newEnd }: LineChange,
): LineChange {
  let start = 0;
  const most = Math.min(oldEnd - oldStart, newEnd - newStart);
  while (start < most && old[oldStart + start] === now[newStart + start]) start += 1;
  let end = 0;
  while (end < most - start && old[oldEnd - 1 - end] === now[newEnd - 1 - end]) end += 1;
  return { oldStart: oldStart + start, oldEnd: oldEnd - end, newStart: newStart + start, newEnd: newEnd - end };
}

type Anchor = readonly [oldAt: number, newAt: number];

/** Lines that stand once on either side: the most of them that are in one order on both. */
function anchorsOf(
  old: readonly string[],
  now: readonly string[],
  { oldStart, oldEnd, newStart, newEnd }: LineChange,
): readonly Anchor[] {
  const inOld = placesOf(old, oldStart, oldEnd);
  const inNew = placesOf(now, newStart, newEnd);
  const both: Anchor[] = [];
  for (const [line, oldAt] of inOld) {
    const newAt = inNew.get(line);
    if (oldAt >= 0 && newAt !== undefined && newAt >= 0) both.push([oldAt, newAt]);
  }
  return longestRise(both);
}

/** Index of each line; -1 where it stands more than once. In the order of the first ones. */
function placesOf(lines: readonly string[], start: number, end: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? '';
    places.set(line, places.has(line) ? -1 : at);
  }
  return places;
}

/** Longest run of pairs, ordered by the old side, that rises on the new side as well. */
function longestRise(pairs: readonly Anchor[]): readonly Anchor[] {
  /** Pairs by length less one: the one in which the chain of that length ends lowest. */
  const ends: number[] = [];
  const before: number[] = [];
  pairs.forEach(([, newAt], index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < newAt) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  });
  const chain: Anchor[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) chain.push(pair);
  }
  return chain.reverse();
}

/** The fewest changes of a small region; of a large one the whole. */
function byLine(old: readonly string[], now: readonly string[], whole: LineChange): readonly LineChange[] {
  const { oldStart, oldEnd, newStart, newEnd } = whole;
  if (oldEnd - oldStart > SMALL || newEnd - newStart > SMALL) return [whole];
  const parts = diffArrays(old.slice(oldStart, oldEnd), now.slice(newStart, newEnd));
  const found: LineChange[] = [];
  let [oldAt, newAt] = [oldStart, newStart];
  let open: LineChange | undefined;
  for (const { added, removed, count } of parts) {
    if (!added && !removed) {
      if (open) found.push(open);
      open = undefined;
    }
    const from = open ?? { oldStart: oldAt, oldEnd: oldAt, newStart: newAt, newEnd: newAt };
    if (!added) oldAt += count;
    if (!removed) newAt += count;
    if (added || removed) open = { ...from, oldEnd: oldAt, newEnd: newAt };
  }
  if (open) found.push(open);
  return found;
}
