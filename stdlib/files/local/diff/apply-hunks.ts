import type { PatchHunk, PatchLine } from './read-patch.ts';

export type Applied = { readonly text: string } | { readonly failed: number; readonly line: number };

interface Line {
  readonly text: string;
  readonly end: '' | '\n' | '\r\n';
}

/**
 * A text with hunks applied at exactly the places that they state. Where the line ends of patch and text differ
 * throughout, those of the text are kept.
 */
export function applyHunks(text: string, hunks: readonly PatchHunk[]): Applied {
  const exact = applied(
    text
      .split(/(?<=\n)/)
      .filter(notEmpty)
      .map((line) => lineAt(line, false)),
    hunks,
    undefined,
  );
  if (!('failed' in exact)) return exact;
  const lines = text
    .split(/(?<=\n)/)
    .filter(notEmpty)
    .map((line) => lineAt(line, true));
  const ends = new Set(lines.map(({ end }) => end).filter((end) => end !== ''));
  const [end] = ends;
  const isOdd =
    ends.size !== 1 ||
    end === undefined ||
    hunks.some(({ lines: some }) =>
      some.some(({ text: one, hasEnd }) => hasEnd && one.endsWith('\r') === (end === '\r\n')),
    );
  return isOdd ? exact : applied(lines, hunks, end);
}

function notEmpty(line: string): boolean {
  return line !== '';
}

function lineAt(line: string, isParted: boolean): Line {
  if (!line.endsWith('\n')) return { text: line, end: '' };
  return isParted && line.endsWith('\r\n')
    ? { text: line.slice(0, -2), end: '\r\n' }
    : { text: line.slice(0, -1), end: '\n' };
}

/**
 * `end` is what stands behind lines that are put in, and the patch's own carriage returns do not count; undefined: as
 * the patch says.
 */
function applied(lines: readonly Line[], hunks: readonly PatchHunk[], end: Line['end'] | undefined): Applied {
  const result: string[] = [];
  let at = 0;
  for (const [index, hunk] of hunks.entries()) {
    if (hunk.before < at || hunk.before > lines.length) return { failed: index + 1, line: hunk.before + 1 };
    for (; at < hunk.before; at += 1) result.push(written(lines[at]));
    for (const line of hunk.lines) {
      const text = end === undefined ? line.text : line.text.replace(/\r$/, '');
      if (line.sign === '+') {
        result.push(text + (line.hasEnd ? (end ?? '\n') : ''));
        continue;
      }
      if (!fits(lines[at], text, line)) return { failed: index + 1, line: at + 1 };
      if (line.sign === ' ') result.push(written(lines[at]));
      at += 1;
    }
  }
  for (; at < lines.length; at += 1) result.push(written(lines[at]));
  // A line without end in the middle would run into the next one.
  const open = result.findIndex((line, index) => index < result.length - 1 && !line.endsWith('\n'));
  return open < 0 ? { text: result.join('') } : { failed: hunks.length, line: open + 1 };
}

function fits(line: Line | undefined, text: string, { hasEnd }: PatchLine): boolean {
  return line !== undefined && line.text === text && (line.end !== '') === hasEnd;
}

function written(line: Line | undefined): string {
  return line === undefined ? '' : line.text + line.end;
}
