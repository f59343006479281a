import { hunks } from '#runtime/adapters/text-diff/hunks.ts';

/** A unified difference of two texts, as `patch` reads it. */
export function difference(name: string, before: string, after: string): string {
  const parts = hunks(before, after, 2).map(
    ({ leftStart, leftCount, rightStart, rightCount, lines }) =>
      `@@ -${leftStart},${leftCount} +${rightStart},${rightCount} @@\n${lines.join('\n')}\n`,
  );
  return `--- ${name}\n+++ ${name}\n${parts.join('')}`;
}
