import { cells } from '#grammar/source/cells.ts';
import { cutText } from '#grammar/source/cut-text.ts';
import { printable, printableBlock, printableLine } from '#grammar/source/printable.ts';
import type { StepView } from '#runtime/kernel/events.ts';
import type { Json } from '#schemas/types/json.ts';
import {
  MOST_EXPECTATIONS,
  type FailureClass,
  type RecordedError,
  type RecordedExpectation,
  type RunRecord,
} from '#schemas/types/record.ts';

import { answerLines } from './answer-text.ts';
import type { Colours } from './colours.ts';
import { ownId } from './step-title.ts';

/** Colours and columns with which a failure is printed. */
export interface Paper {
  readonly paint: Colours;
  readonly columns: number;
}

interface Spot {
  readonly line: number;
  readonly column: number;
  readonly text?: string;
}

/**
 * A failing step as a compile error is printed: what, where, the line, actual and expected, the answer, class, causes.
 */
export function failureText(step: StepView, record: RunRecord, paper: Paper): string {
  const { paint } = paper;
  const error = record.error ?? { name: 'Failure', message: 'The step failed.', class: 'real' };
  const code = error.code ? `[${error.code}]` : '';
  const bar = `   ${paint.blue('|')} `;
  const note = `   ${paint.blue('=')} `;
  const [first] = error.expectations ?? [];
  const lines = [
    `${paint.red(paint.bold(`error${code}`))}: ${paint.bold(printableBlock(error.message, bar))}`,
    ...placeLines(record, spotOf(step, record, first), paper),
    ...sideLines(error, bar),
    ...(import.meta.withoutVariables ? [] : otherLines(step, record, paper, bar)),
    ...(import.meta.withoutAnswers ? [] : answerLines(record.result).map((line) => `${bar}${line}`)),
  ];
  const attempts = record.attempts > 1 ? `, ${record.attempts} attempts` : '';
  const node = ownId(record) === undefined ? '' : `, step "${ownId(record)}"`;
  lines.push(
    `${note}${record.command}: ${classText(error.class)}${attempts}${node}${record.row === undefined ? '' : `, row ${record.row}`}`,
  );
  if (!import.meta.withoutRows && step.values !== undefined) lines.push(`${note}the row: ${valueText(step.values)}`);
  for (const cause of causes(error)) lines.push(`${note}because: ${cause}`);
  for (const line of helpOf(error)?.split('\n') ?? []) lines.push(`${note}${line}`);
  if (error.code) lines.push(`${note}svc explain ${error.code}`);
  return lines.join('\n');
}

/** The conditions that do not hold behind the first, which is the failure itself. */
function otherLines(step: StepView, record: RunRecord, paper: Paper, bar: string): readonly string[] {
  const [, ...others] = record.error?.expectations ?? [];
  return [
    ...others.flatMap((other) => [
      ...placeLines(record, spotOf(step, record, other), paper),
      `${bar}${printableBlock(other.message, bar)}`,
      ...sideLines(other, bar),
      ...(other.help === undefined ? [] : [`${bar}${printableLine(other.help)}`]),
    ]),
    ...(others.length + 1 === MOST_EXPECTATIONS
      ? [`${bar}the conditions behind these ${MOST_EXPECTATIONS} were not looked at`]
      : []),
  ];
}

/** Name of a class of failures, in words: `real` is what the test was to find. */
export function classText(name: FailureClass): string {
  return `${name === 'real' ? 'test' : name} failure`;
}

/** Place to show: the condition that does not hold, the option that failed, else the step. */
export function spotOf(step: StepView, record: RunRecord, wrong: RecordedExpectation | undefined): Spot {
  const place = import.meta.withoutVariables ? undefined : wrongPlace(step.place, record.error, wrong);
  return place ?? { line: record.line, column: record.column, ...(step.place && { text: step.place.text }) };
}

function wrongPlace(
  place: StepView['place'],
  error: RecordedError | undefined,
  wrong: RecordedExpectation | undefined,
): Spot | undefined {
  return wrong ? place?.expect?.[wrong.index] : optionPlace(place, error);
}

/**
 * Place of the `when` or condition that could not be judged, or of the entry of `save_as` that found nothing; time
 * that ran out for a step tells of that in its cause.
 */
export function optionPlace(place: StepView['place'], error: RecordedError | undefined): Spot | undefined {
  if (import.meta.withoutVariables) return undefined;
  if (error?.when) return place?.when;
  if (!import.meta.withoutControls && error?.condition) return place?.condition;
  const index = error?.capture ?? error?.cause?.capture;
  return index === undefined ? undefined : place?.save_as?.[index];
}

function placeLines(record: RunRecord, { line, column, text: source }: Spot, { paint, columns }: Paper): string[] {
  const at = `  ${paint.blue('-->')} ${printableLine(record.file)}:${line}:${column}`;
  if (source === undefined) return [at];
  const margin = ' '.repeat(String(line).length);
  // Gutter and the spaces around it; on a pipe there is no width to keep to, but nobody reads more.
  const { text, start, end } = fitting(printableLine(source).trimEnd(), columns - margin.length - 4);
  return [
    at,
    ` ${paint.blue(`${line} |`)} ${text}`,
    ` ${margin} ${paint.blue('|')} ${' '.repeat(start)}${paint.red('^'.repeat(Math.max(end - start, 1)))}`,
  ];
}

/** Part of a line that fits, in cells of the terminal, and the cells between which it is marked. */
function fitting(line: string, width: number): { readonly text: string; readonly start: number; readonly end: number } {
  let text = '';
  let end = 0;
  let start: number | undefined;
  for (const cell of cells(line)) {
    if (end + cell.width > Math.max(width, 20) - 1) {
      text += '…';
      end += 1;
      break;
    }
    if (start === undefined && cell.text !== ' ') start = end;
    text += cell.text;
    end += cell.width;
  }
  return { text, start: start ?? 0, end };
}

function sideLines(
  { message, expected, actual }: Pick<RecordedError, 'message' | 'expected' | 'actual'>,
  bar: string,
): string[] {
  // A message of several lines tells what was found in words.
  if (expected === undefined && message.includes('\n')) return [];
  return [
    ...(actual === undefined ? [] : [`${bar}actual:   ${valueText(actual)}`]),
    ...(expected === undefined ? [] : [`${bar}expected: ${valueText(expected)}`]),
  ];
}

/** The messages of a cause chain, outermost first; a message that only repeats the one before is left out. */
export function causes(error: RecordedError): string[] {
  const found: string[] = [];
  let last = error.message;
  for (let cause = error.cause; cause !== undefined; cause = cause.cause) {
    if (cause.message !== last) found.push(printableBlock(`${cause.name}: ${cause.message}`, '     '));
    last = cause.message;
  }
  return found;
}

/** Advice on an error: its own, else that of what caused it. */
export function helpOf(error: RecordedError): string | undefined {
  let at: RecordedError | undefined = error;
  while (at !== undefined && at.help === undefined) at = at.cause;
  return at?.help === undefined ? undefined : printable(at.help);
}

/** The sides of a comparison that failed, a line each that is known. */
export function comparedLines({ actual, expected }: Pick<RecordedError, 'actual' | 'expected'>): readonly string[] {
  return [
    ...(actual === undefined ? [] : [`actual: ${valueText(actual)}`]),
    ...(expected === undefined ? [] : [`expected: ${valueText(expected)}`]),
  ];
}

/** A value on one line, cut at 400 characters. */
export function valueText(value: Json): string {
  const text = printableLine(JSON.stringify(value));
  return cutText(text, 400, `… (${text.length} characters)`);
}
