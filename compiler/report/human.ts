import { styleText } from 'node:util';

import { frameLines, type Mark } from '#grammar/source/frame.ts';
import { printable, printableBlock, printableLine } from '#grammar/source/printable.ts';
import { counted } from '#grammar/source/counted.ts';
import type { Severity } from '#schemas/types/diagnostic.ts';

import { bounded, type Located, type LocatedLabel } from './locate.ts';

const colourOf = { error: 'red', warning: 'yellow', info: 'blue', hint: 'cyan' } as const;

/** Cells of source that a frame shows of a line at most. */
const WIDEST = 100;

/**
 * Findings for people: a source frame each, what to do, fixes; then one line that counts. Empty text for no findings.
 */
export function human(
  located: readonly Located[],
  options: { readonly colour: boolean; readonly files?: number; readonly columns?: number },
): string {
  const { shown, leftOut } = bounded(located);
  const blocks = shown.map((finding) => block(finding, options));
  for (const [source, count] of leftOut)
    blocks.push(
      `note: ${counted(count, 'more finding')} in ${printableLine(source)} ${count === 1 ? 'is' : 'are'} not shown`,
    );
  const summary = count(located, options.files);
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n\n${summary}\n`;
}

/** `2 errors and 1 warning in 3 files`. */
export function count(located: readonly Located[], files?: number): string {
  const number = (severity: Severity): number =>
    located.filter(({ diagnostic }) => diagnostic.severity === severity).length;
  const parts = (['error', 'warning', 'info', 'hint'] as const).flatMap((severity) => {
    const found = number(severity);
    return found === 0 ? [] : [counted(found, severity)];
  });
  const among = files === undefined ? '' : ` in ${counted(files, 'file')}`;
  return `${parts.length === 0 ? 'nothing found' : parts.join(', ')}${among}`;
}

/** Form of printed findings. `columns`: of the terminal, which no frame goes beyond. */
interface Paper {
  readonly colour: boolean;
  readonly columns?: number;
}

/** Places of one finding beside its own: a circle of ten thousand nodes has as many. */
const MOST_PLACES = 50;

function block({ diagnostic, primary, related }: Located, { colour, columns }: Paper): string {
  const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const tone = colourOf[diagnostic.severity];
  const lines = [
    `${paint([tone, 'bold'], `${diagnostic.severity}[${diagnostic.code}]`)}: ${paint('bold', printableBlock(diagnostic.message, `  ${paint('blue', '|')} `))}`,
  ];
  lines.push(
    `  ${paint('blue', '-->')} ${printableLine(primary.source)}:${primary.start.line}:${primary.start.column}`,
  );
  const shown = related.slice(0, MOST_PLACES);
  const near = shown.filter((label) => label.source === primary.source);
  lines.push(...frameText(primary, near, paint, tone, columns));
  for (const label of shown) {
    if (label.source === primary.source) continue;
    lines.push(
      `  ${paint('blue', ':::')} ${printableLine(label.source)}:${label.start.line}:${label.start.column}${aside(label)}`,
      ...frameText(label, [], paint, 'blue', columns),
    );
  }
  if (related.length > shown.length)
    lines.push(` ${paint('blue', '=')} ${counted(related.length - shown.length, 'more place')} not shown`);
  if (diagnostic.help !== undefined)
    lines.push(
      ...printable(diagnostic.help)
        .split('\n')
        .map((line) => ` ${paint('blue', '=')} ${line}`),
    );
  for (const fix of diagnostic.fixes)
    lines.push(` ${paint('blue', '=')} fix (${fix.safety}): ${printableLine(fix.title)}`);
  lines.push(` ${paint('blue', '=')} svc explain ${diagnostic.code}`);
  return lines.join('\n');
}

/** Text of a label whose place no frame shows. */
function aside({ file, text }: LocatedLabel): string {
  return file || text === undefined ? '' : `  ${printableLine(text)}`;
}

function frameText(
  primary: LocatedLabel,
  near: readonly LocatedLabel[],
  paint: (style: Parameters<typeof styleText>[0], text: string) => string,
  tone: (typeof colourOf)[Severity],
  columns = Infinity,
): string[] {
  if (!primary.file) return [];
  const marks = [mark(primary, false), ...near.map((label) => mark(label, true))];
  // Beside the source stand its number, a line, and a sign on each side where it is folded.
  const room = columns - String(primary.start.line).length - 6;
  return frameLines(primary.file.text, marks, {
    lines: primary.file.lines,
    width: Math.max(Math.min(room, WIDEST), 20),
    ...(primary.file.hide && { hide: primary.file.hide }),
  }).map((line) => {
    const content = line.kind === 'marks' ? paint(tone, line.content) : line.content;
    return content === '' ? paint('blue', line.gutter) : `${paint('blue', line.gutter)} ${content}`;
  });
}

function mark(label: LocatedLabel, secondary: boolean): Mark {
  return {
    span: label.span,
    ...(label.text !== undefined && { text: printableLine(label.text) }),
    ...(secondary && { secondary: true }),
  };
}
