import { printableLine } from '#grammar/source/printable.ts';
import type { Evidence } from '#schemas/types/run-event.ts';

/** Lines about the files of a failed step: pictures with their paths, and the names of the texts beside them. */
export function keptText(evidence: readonly Evidence[]): readonly string[] {
  const lines: string[] = [];
  const beside: string[] = [];
  for (const piece of evidence) {
    if (piece.kind === 'text' && piece.isBrief)
      lines.push(
        ...[`${piece.name}:`, ...piece.text.split('\n').map((one) => `  ${one}`)].map(
          (one) => `   = ${printableLine(one)}`,
        ),
      );
    if (!('path' in piece) || piece.path === undefined) continue;
    if (piece.kind === 'text') beside.push(printableLine(piece.file ?? piece.name));
    else lines.push(`   = ${printableLine(piece.name)}: ${printableLine(piece.path)}`);
  }
  return beside.length === 0 ? lines : [...lines, `   = beside it: ${beside.join(', ')}`];
}
