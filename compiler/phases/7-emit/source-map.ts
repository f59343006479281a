/** One point of a generated file and the point of a source that it stands for; all from 0. */
export interface Mapping {
  readonly line: number;
  readonly column: number;
  readonly source: number;
  readonly sourceLine: number;
  readonly sourceColumn: number;
}

/**
 * A source map (ECMA-426) of mappings in the order of the generated text. `sources` are relative to the map's own file.
 */
export function sourceMap(file: string, sources: readonly string[], mappings: readonly Mapping[]): string {
  return `${JSON.stringify({ version: 3, file, sources, names: [], mappings: encode(mappings) })}\n`;
}

function encode(mappings: readonly Mapping[]): string {
  // Joined once: asking a growing text how it ends would put it together again for each mapping.
  const pieces: string[] = [];
  let line = 0;
  let before = { column: 0, source: 0, sourceLine: 0, sourceColumn: 0 };
  for (const mapping of mappings) {
    const isNewLine = mapping.line > line;
    if (isNewLine) {
      pieces.push(';'.repeat(mapping.line - line));
      line = mapping.line;
      before = { ...before, column: 0 };
    } else if (pieces.length > 0) pieces.push(',');
    pieces.push(vlq(mapping.column - before.column), vlq(mapping.source - before.source));
    pieces.push(vlq(mapping.sourceLine - before.sourceLine), vlq(mapping.sourceColumn - before.sourceColumn));
    before = mapping;
  }
  return pieces.join('');
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 VLQ: sign in the lowest bit, five bits a digit, the lowest first. */
function vlq(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += DIGITS.charAt(rest > 0 ? digit | 32 : digit);
  } while (rest > 0);
  return text;
}
