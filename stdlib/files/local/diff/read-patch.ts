import * as fail from '#schemas/generated/failures.ts';

export interface PatchLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** False for the last line of a file that does not end. */
  readonly hasEnd: boolean;
}

export interface PatchHunk {
  /** Lines of the old file before the hunk. */
  readonly before: number;
  readonly lines: readonly PatchLine[];
}

const header = /^@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@/;

/**
 * The hunks of a unified diff. How many lines a hunk has is counted from its header; what stands between hunks is
 * skipped.
 */
export function readPatch(patch: string): readonly PatchHunk[] {
  const lines = patch.split('\n');
  const hunks: PatchHunk[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    if (!line.startsWith('@@')) {
      at += 1;
      continue;
    }
    const read = readHunk(lines, at);
    hunks.push(read.hunk);
    at = read.next;
  }
  return hunks;
}

function readHunk(lines: readonly string[], start: number): { readonly hunk: PatchHunk; readonly next: number } {
  const [whole, oldStart, oldCount = '1', , newCount = '1'] = header.exec(lines[start] ?? '') ?? [];
  if (whole === undefined) throw fail.patchMalformed({ line: start + 1 });
  let [old, now] = [Number(oldCount), Number(newCount)];
  const before = old === 0 ? Number(oldStart) : Number(oldStart) - 1;
  if (before < 0) throw fail.patchMalformed({ line: start + 1 });
  const content: PatchLine[] = [];
  let at = start + 1;
  for (; old > 0 || now > 0; at += 1) {
    const line = lineOf(lines, at);
    if (line.sign !== '+') old -= 1;
    if (line.sign !== '-') now -= 1;
    if (old < 0 || now < 0) throw fail.patchMalformed({ line: at + 1 });
    const isLast = (lines[at + 1] ?? '').startsWith('\\');
    content.push({ ...line, hasEnd: !isLast });
    if (isLast) at += 1;
  }
  return { hunk: { before, lines: content }, next: at };
}

/** A context line that is empty may have lost its blank on the way. */
function lineOf(lines: readonly string[], at: number): Pick<PatchLine, 'sign' | 'text'> {
  const line = lines[at];
  const sign = line === '' || line === '\r' ? ' ' : line?.[0];
  // The text behind the last line feed is no line.
  if (line === undefined || (line === '' && at === lines.length - 1) || (sign !== ' ' && sign !== '-' && sign !== '+'))
    throw fail.patchMalformed({ line: at + 1 });
  return { sign, text: line[0] === sign ? line.slice(1) : line };
}
