/** Text between quotes that means the same in double quotes: nothing escaped, nothing to escape. */
const needsNoEscape = /^'[^'"\\\t]*'$/;

/**
 * A scalar on one line as it is written, quotes made double where that changes nothing; undefined where it takes
 * several lines.
 */
export function onOneLine(written: string): string | undefined {
  if (written.includes('\n')) return undefined;
  return needsNoEscape.test(written) ? `"${written.slice(1, -1)}"` : written;
}

/** Whether a scalar is written as a block: `|` or `>`. */
export function isBlockText(written: string): boolean {
  return written.startsWith('|') || written.startsWith('>');
}

/** The further lines of a text over several lines, in quotes or without, moved to `indent`. */
export function continued(written: string, indent: number): string[] {
  const lead = ' '.repeat(indent);
  const [first = '', ...more] = written.split('\n');
  return [
    first.trimEnd(),
    ...more.map((line) => {
      const ink = line.replace(/^[ \t]+/, '');
      // Blanks in front of a break are no part of a text; one behind `\` is.
      const kept = ink.endsWith('\\') || /\\[ \t]+$/.test(ink) ? ink : ink.trimEnd();
      return kept === '' ? '' : lead + kept;
    }),
  ];
}

/**
 * The lines of a block text moved to `indent`, its header first, which may hold a comment. `parent` is the column of
 * the key or `-` that holds it, which an indentation in the header counts from.
 */
export function moved(written: string, parent: number, indent: number): string[] {
  const [header = '', ...lines] = written.split('\n');
  const digit = /^[|>][-+]?([1-9])/.exec(header)?.[1];
  const first = lines.find((line) => line.trim() !== '');
  const depth = digit === undefined ? leadOf(first ?? '') : parent + Number(digit);
  const lead = ' '.repeat(indent);
  const isEmpty = first === undefined && digit === undefined;
  return [
    header.replace(/^([|>][-+]?)[1-9]/, (_, mark: string) => `${mark}2`).trimEnd(),
    ...lines.map((line) => (isEmpty || line.length <= depth ? '' : lead + line.slice(depth))),
  ];
}

function leadOf(line: string): number {
  let count = 0;
  while (line.charCodeAt(count) === 32) count += 1;
  return count;
}
