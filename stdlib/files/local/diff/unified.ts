import type { Ports } from '#runtime/kernel/ports.ts';

type DiffHunk = ReturnType<Ports['textDiff']['hunks']>[number];

/** The text of a unified diff; empty without hunks. */
export function unified(hunks: readonly DiffHunk[], left: string, right: string): string {
  if (hunks.length === 0) return '';
  const lines = [`--- ${headerName(left)}`, `+++ ${headerName(right)}`];
  for (const { leftStart, leftCount, rightStart, rightCount, lines: content } of hunks) {
    lines.push(`@@ -${rangeOf(leftStart, leftCount)} +${rangeOf(rightStart, rightCount)} @@`);
    for (const line of content) lines.push(line);
  }
  return `${lines.join('\n')}\n`;
}

function rangeOf(start: number, count: number): string {
  return count === 1 ? String(start) : `${start},${count}`;
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };

/** A name that would break its line stands in quotes, as other programs write it. */
function headerName(path: string): string {
  if (!/[\u0000-\u001f\u007f"]/.test(path)) return path;
  const inner = path.replace(
    /[\u0000-\u001f\u007f"\\]/g,
    (character) => escapes[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${inner}"`;
}
