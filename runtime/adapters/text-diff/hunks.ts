import { structuredPatch } from 'diff';

import { manyChanges } from './many-changes.ts';
import type { DiffHunk } from './port.ts';

/** Lines that may differ before the fewest changes are given up: looking for them takes time of their square. */
const MOST_DIFFERENCES = 3000;

/** The hunks that lead from one text to the other, as `TextDiff` promises them. */
export function hunks(left: string, right: string, context: number): readonly DiffHunk[] {
  if (left === right) return [];
  const patch = structuredPatch('', '', left, right, undefined, undefined, {
    context,
    maxEditLength: MOST_DIFFERENCES,
  });
  if (patch === undefined) return manyChanges(left, right, context);
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    leftStart: oldLines === 0 ? oldStart - 1 : oldStart,
    leftCount: oldLines,
    rightStart: newLines === 0 ? newStart - 1 : newStart,
    rightCount: newLines,
    lines,
  }));
}
