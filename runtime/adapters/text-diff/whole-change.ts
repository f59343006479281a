import type { DiffHunk } from './port.ts';

const NO_END = '\\ No newline at end of file';

/** One hunk that replaces all between the first and the last line that differ. */
export function wholeChange(left: string, right: string, context: number): DiffHunk {
  const [old, now] = [linesOf(left), linesOf(right)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let same = 0;
  while (same < old.length - start && same < now.length - start && old[old.length - 1 - same] === now[now.length - 1 - same]) same += 1;
  const from = Math.max(0, start - context);
  const behind = Math.min(same, context);
  const [oldEnd, newEnd] = [old.length - same, now.length - same];
  const leftCount = oldEnd + behind - from;
  const rightCount = newEnd + behind - from;
  return {
    leftStart: leftCount === 0 ? from : from + 1,
    leftCount,
    rightStart: rightCount === 0 ? from : from + 1,
    rightCount,
    lines: [
      ...signed(' ', old.slice(from, start)),
      ...signed('-', old.slice(start, oldEnd)),
      ...signed('+', now.slice(start, newEnd)),
      ...signed(' ', old.slice(oldEnd, oldEnd + behind)),
    ],
  };
}

/** With their ends. */
function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}

function signed(sign: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => (line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, NO_END]));
}
