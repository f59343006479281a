import { lineChanges, type LineChange } from './line-changes.ts';
import type { DiffHunk } from './port.ts';

const NO_END = '\\ No newline at end of file';

/** The hunks of texts that differ in so many lines that the fewest changes cannot be looked for. */
export function manyChanges(left: string, right: string, context: number): readonly DiffHunk[] {
  const [old, now] = [linesOf(left), linesOf(right)];
  return grouped(lineChanges(old, now), context).map((changes) => hunkOf(old, now, changes, context));
}

/** Changes whose lines around them would touch stand in one hunk. */
function grouped(changes: readonly LineChange[], context: number): readonly (readonly LineChange[])[] {
  const groups: LineChange[][] = [];
  let last: LineChange | undefined;
  for (const change of changes) {
    if (last !== undefined && change.oldStart - last.oldEnd <= context * 2) groups.at(-1)?.push(change);
    else groups.push([change]);
    last = change;
  }
  return groups;
}

function hunkOf(
  old: readonly string[],
  now: readonly string[],
  changes: readonly LineChange[],
  context: number,
): DiffHunk {
  const first = changes[0]?.oldStart ?? 0;
  const before = Math.min(context, first);
  const oldFrom = first - before;
  const newFrom = (changes[0]?.newStart ?? 0) - before;
  const lines: string[] = [];
  const put = (sign: string, part: readonly string[]): void => {
    for (const line of part) {
      if (line.endsWith('\n')) lines.push(sign + line.slice(0, -1));
      else lines.push(sign + line, NO_END);
    }
  };
  let [oldAt, newAt] = [oldFrom, newFrom];
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    put(' ', old.slice(oldAt, oldStart));
    put('-', old.slice(oldStart, oldEnd));
    put('+', now.slice(newStart, newEnd));
    [oldAt, newAt] = [oldEnd, newEnd];
  }
  const behind = Math.min(context, old.length - oldAt);
  put(' ', old.slice(oldAt, oldAt + behind));
  const leftCount = oldAt + behind - oldFrom;
  const rightCount = newAt + behind - newFrom;
  return {
    leftStart: leftCount === 0 ? oldFrom : oldFrom + 1,
    leftCount,
    rightStart: rightCount === 0 ? newFrom : newFrom + 1,
    rightCount,
    lines,
  };
}

/** Lines with their ends. */
function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}
