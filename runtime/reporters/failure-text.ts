import { printable, printableBlock, printableLine } from '#grammar/source/printable.ts';
import type { StepView } from '#runtime/kernel/events.ts';
import type { Json } from '#schemas/types/json.ts';
import type { FailureClass, RecordedError, RunRecord } from '#schemas/types/record.ts';

import type { Colours } from './colours.ts';

/** A failing step as a compile error is printed: what, where, the line, actual and expected, class, causes. */
export function failureText(step: StepView, record: RunRecord, paint: Colours): string {
  const error = record.error ?? { name: 'Failure', message: 'The step failed.', class: 'real' };
  const code = error.code ? `[${error.code}]` : '';
  const lines = [
    `${paint.red(paint.bold(`error${code}`))}: ${paint.bold(printableBlock(error.message, `   ${paint.blue('|')} `))}`,
    ...placeLines(step, record, paint),
  ];
  if (error.expected !== undefined || error.actual !== undefined) {
    lines.push(
      `   ${paint.blue('|')} actual:   ${valueText(error.actual)}`,
      `   ${paint.blue('|')} expected: ${valueText(error.expected)}`,
    );
  }
  const attempts = record.attempts > 1 ? `, ${record.attempts} attempts` : '';
  lines.push(
    `   ${paint.blue('=')} ${record.command}: ${classText(error.class)}${attempts}${record.row === undefined ? '' : `, row ${record.row}`}`,
  );
  for (const cause of causes(error)) lines.push(`   ${paint.blue('=')} because: ${cause}`);
  for (const line of helpOf(error)?.split('\n') ?? []) lines.push(`   ${paint.blue('=')} ${line}`);
  if (error.code) lines.push(`   ${paint.blue('=')} svc explain ${error.code}`);
  return lines.join('\n');
}

/** What kind of failure it is, in words: `real` is what the test was to find. */
export function classText(name: FailureClass): string {
  return `${name === 'real' ? 'test' : name} failure`;
}

function placeLines(step: StepView, record: RunRecord, paint: Colours): string[] {
  const at = `  ${paint.blue('-->')} ${printableLine(record.file)}:${record.line}:${record.column}`;
  const text = step.place && printableLine(step.place.text);
  if (text === undefined) return [at];
  const number = String(record.line);
  const margin = ' '.repeat(number.length);
  const end = text.trimEnd().length;
  const start = Math.max(text.search(/\S/), 0);
  return [
    at,
    ` ${paint.blue(`${number} |`)} ${text.trimEnd()}`,
    ` ${margin} ${paint.blue('|')} ${' '.repeat(start)}${paint.red('^'.repeat(Math.max(end - start, 1)))}`,
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

/** What to do about it: of the error, else of what caused it. */
export function helpOf(error: RecordedError): string | undefined {
  let at: RecordedError | undefined = error;
  while (at !== undefined && at.help === undefined) at = at.cause;
  return at?.help === undefined ? undefined : printable(at.help);
}

/** A value on one line, cut at 400 characters. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return '(nothing)';
  const text = printableLine(JSON.stringify(value));
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
}
